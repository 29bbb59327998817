-- The audit log only grows. These triggers live in the file, so every program that opens it meets them.

CREATE TRIGGER audit_log_keeps_rows BEFORE DELETE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;

CREATE TRIGGER audit_log_keeps_values BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
