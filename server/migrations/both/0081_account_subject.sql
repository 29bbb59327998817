-- Who somebody is to an external issuer: its own name for the person. One subject of one issuer is one account.
ALTER TABLE account ADD COLUMN issuer TEXT;
ALTER TABLE account ADD COLUMN subject TEXT;
CREATE UNIQUE INDEX account_subject ON account (issuer, subject);
