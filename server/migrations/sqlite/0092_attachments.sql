-- What the key of a file's person in 0091 leads to. PostgreSQL has it since 0061.
CREATE UNIQUE INDEX account_of_school ON account (school_id, id);
