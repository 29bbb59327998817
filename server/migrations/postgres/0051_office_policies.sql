-- The tables of 0050, closed to all rows but those of the school in the frame.
DO $$
DECLARE tenant TEXT;
BEGIN
    FOREACH tenant IN ARRAY ARRAY['enrolment_past', 'guardian', 'student_guardian', 'announcement'] LOOP
        EXECUTE format('ALTER TABLE main.%I ENABLE ROW LEVEL SECURITY', tenant);
        EXECUTE format('ALTER TABLE main.%I FORCE ROW LEVEL SECURITY', tenant);
        EXECUTE format(
            'CREATE POLICY one_school ON main.%I TO rover_app USING (school_id = nullif(current_setting(''app.school'', true), '''')) WITH CHECK (school_id = nullif(current_setting(''app.school'', true), ''''))',
            tenant);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON main.%I TO rover_app', tenant);
    END LOOP;
END $$;
