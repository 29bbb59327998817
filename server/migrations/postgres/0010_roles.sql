-- Who may touch what, below the level of our own code.
--
-- The tables belong to whoever migrates. `rover_app` works inside one school and passes row-level security;
-- `rover_system` sees accounts and turns of every school and no other table. Neither owns anything.
-- Roles belong to the whole cluster, so another database may have made them already.

DO $$
DECLARE wanted TEXT;
BEGIN
    FOREACH wanted IN ARRAY ARRAY['rover_app', 'rover_system'] LOOP
        BEGIN
            IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = wanted) THEN
                EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS', wanted);
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END;
        IF NOT pg_has_role(current_user, wanted, 'MEMBER') THEN
            EXECUTE format('GRANT %I TO %I', wanted, current_user);
        END IF;
    END LOOP;
END $$;

GRANT USAGE ON SCHEMA main TO rover_app, rover_system;

-- Every table that carries school_id is closed to all rows but those of the school in the frame. After a
-- rolled-back transaction the setting reads as an empty string, not as NULL: nullif makes it match nothing.
DO $$
DECLARE tenant TEXT;
BEGIN
    FOR tenant IN SELECT table_name FROM information_schema.columns WHERE table_schema = 'main' AND column_name = 'school_id' LOOP
        EXECUTE format('ALTER TABLE main.%I ENABLE ROW LEVEL SECURITY', tenant);
        EXECUTE format('ALTER TABLE main.%I FORCE ROW LEVEL SECURITY', tenant);
        EXECUTE format(
            'CREATE POLICY one_school ON main.%I TO rover_app USING (school_id = nullif(current_setting(''app.school'', true), '''')) WITH CHECK (school_id = nullif(current_setting(''app.school'', true), ''''))',
            tenant);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON main.%I TO rover_app', tenant);
    END LOOP;
END $$;

-- The audit log only grows, for the owner and the superuser too.
REVOKE UPDATE, DELETE ON main.audit_log FROM rover_app;
CREATE FUNCTION main.audit_log_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the audit log only grows'; END $$;
CREATE TRIGGER audit_log_keeps_rows BEFORE UPDATE OR DELETE OR TRUNCATE ON main.audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION main.audit_log_only_grows();

DO $$
DECLARE shared TEXT;
BEGIN
    FOREACH shared IN ARRAY ARRAY['account', 'thread', 'message', 'turn', 'turn_event', 'pending_question', 'turn_token', 'delivery'] LOOP
        EXECUTE format('CREATE POLICY every_school ON main.%I TO rover_system USING (true) WITH CHECK (true)', shared);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON main.%I TO rover_system', shared);
    END LOOP;
END $$;
GRANT SELECT, INSERT ON main.security_line TO rover_system;
CREATE POLICY every_school ON main.school FOR SELECT TO rover_system USING (true);
GRANT SELECT ON main.school TO rover_system;
