-- A turn runs once, and again after each answer. `deadline_at_us` is when the run in hand must have come to an end,
-- for a turn whose worker died has nobody else to end it; `first_seq` is the number of the run's first event, so
-- that an event of an earlier run that comes again changes nothing.
ALTER TABLE turn ADD COLUMN deadline_at_us BIGINT;
ALTER TABLE turn ADD COLUMN first_seq BIGINT NOT NULL DEFAULT 0;
CREATE INDEX turn_open ON turn (state, deadline_at_us);
