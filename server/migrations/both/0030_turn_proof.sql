-- A run of a turn has one token, and the row of that token is the row of the run: which run it is (`first_seq` is the
-- turn's then), the hash by which a worker's signature names it, the events that it may call, the enrolled key that
-- claimed it first, and a mark for each time that another took it over, so that no takeover counts twice.
-- Rows of before belong to no run, and their tokens to none.
ALTER TABLE turn_token ADD COLUMN first_seq BIGINT NOT NULL DEFAULT -1;
ALTER TABLE turn_token ADD COLUMN token_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE turn_token ADD COLUMN offer TEXT NOT NULL DEFAULT '[]';
ALTER TABLE turn_token ADD COLUMN worker_key TEXT;
ALTER TABLE turn_token ADD COLUMN takeover_marks TEXT NOT NULL DEFAULT '';
CREATE INDEX turn_token_run ON turn_token (turn_id, first_seq);
