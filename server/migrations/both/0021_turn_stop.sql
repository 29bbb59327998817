-- When the person asked the run in hand to stop. From then on it changes nothing, whatever its worker still sends.
ALTER TABLE turn ADD COLUMN stop_asked_at_us BIGINT;
