-- A server whose login does not migrate asks whether somebody else did.
GRANT SELECT ON main._sqlx_migrations TO rover_app;
