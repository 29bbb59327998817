-- What a turn cost: tokens that models read and wrote in it. The indexes serve the limits of people and schools.
ALTER TABLE turn ADD COLUMN tokens BIGINT NOT NULL DEFAULT 0;
CREATE INDEX turn_account_time ON turn (school_id, account_id, opened_at_us);
CREATE INDEX turn_school_time ON turn (school_id, opened_at_us);
