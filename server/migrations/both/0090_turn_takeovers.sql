-- How often the run in hand was taken over from a worker that was lost. A call that comes from before the last takeover
-- changes nothing: its worker was not dead, only out of reach.
ALTER TABLE turn ADD COLUMN takeovers BIGINT NOT NULL DEFAULT 0;
