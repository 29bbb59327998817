-- A thread or turn could be of one school and its account of another: the key named the account alone.
-- An account of no school has no threads.
ALTER TABLE main.account ADD CONSTRAINT account_of_school UNIQUE (school_id, id);
ALTER TABLE main.thread ADD FOREIGN KEY (school_id, account_id) REFERENCES main.account (school_id, id);
ALTER TABLE main.turn ADD FOREIGN KEY (school_id, account_id) REFERENCES main.account (school_id, id);
