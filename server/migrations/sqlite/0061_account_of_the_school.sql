-- A thread or turn could be of one school and its account of another: the key named the account alone. SQLite adds no
-- key to a table that is there, so triggers ask the same.
CREATE TRIGGER thread_account_of_school BEFORE INSERT ON thread
WHEN NOT EXISTS (SELECT 1 FROM account WHERE id = NEW.account_id AND school_id = NEW.school_id)
BEGIN SELECT RAISE(ABORT, 'an account of another school'); END;

CREATE TRIGGER thread_keeps_account_of_school BEFORE UPDATE OF school_id, account_id ON thread
WHEN NOT EXISTS (SELECT 1 FROM account WHERE id = NEW.account_id AND school_id = NEW.school_id)
BEGIN SELECT RAISE(ABORT, 'an account of another school'); END;

CREATE TRIGGER turn_account_of_school BEFORE INSERT ON turn
WHEN NOT EXISTS (SELECT 1 FROM account WHERE id = NEW.account_id AND school_id = NEW.school_id)
BEGIN SELECT RAISE(ABORT, 'an account of another school'); END;

CREATE TRIGGER turn_keeps_account_of_school BEFORE UPDATE OF school_id, account_id ON turn
WHEN NOT EXISTS (SELECT 1 FROM account WHERE id = NEW.account_id AND school_id = NEW.school_id)
BEGIN SELECT RAISE(ABORT, 'an account of another school'); END;
