-- The logins of the tests, which belong to the whole server. `rover_test` is a server's: it owns nothing, and has no right
-- but by stepping into a role. `rover_test_owner` owns and migrates: it is no superuser, and makes roles.
DO $$
DECLARE wanted TEXT; rights TEXT;
BEGIN
    FOR wanted, rights IN VALUES
        ('rover_app', 'NOLOGIN'),
        ('rover_system', 'NOLOGIN'),
        ('rover_test', 'LOGIN NOINHERIT PASSWORD ''rover_test'''),
        ('rover_test_owner', 'LOGIN CREATEROLE PASSWORD ''rover_test_owner''')
    LOOP
        BEGIN
            IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = wanted) THEN
                EXECUTE format('CREATE ROLE %I %s', wanted, rights);
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
        END;
    END LOOP;
    FOREACH wanted IN ARRAY ARRAY['rover_test', 'rover_test_owner'] LOOP
        IF NOT pg_has_role(wanted, 'rover_app', 'MEMBER') OR NOT pg_has_role(wanted, 'rover_system', 'MEMBER') THEN
            EXECUTE format('GRANT rover_app, rover_system TO %I', wanted);
        END IF;
    END LOOP;
END $$;
