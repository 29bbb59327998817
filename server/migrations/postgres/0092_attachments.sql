-- The tables of 0091, closed to all rows but those of the school in the frame; the server's own frame sees them all, as
-- it sees the conversations that they belong to.
DO $$
DECLARE tenant TEXT;
BEGIN
    FOREACH tenant IN ARRAY ARRAY['attachment', 'attachment_piece'] LOOP
        EXECUTE format('ALTER TABLE main.%I ENABLE ROW LEVEL SECURITY', tenant);
        EXECUTE format('ALTER TABLE main.%I FORCE ROW LEVEL SECURITY', tenant);
        EXECUTE format(
            'CREATE POLICY one_school ON main.%I TO rover_app USING (school_id = nullif(current_setting(''app.school'', true), '''')) WITH CHECK (school_id = nullif(current_setting(''app.school'', true), ''''))',
            tenant);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON main.%I TO rover_app', tenant);
        EXECUTE format('CREATE POLICY every_school ON main.%I TO rover_system USING (true) WITH CHECK (true)', tenant);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON main.%I TO rover_system', tenant);
    END LOOP;
END $$;
