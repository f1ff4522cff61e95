-- In how many seconds a lease is to be granted, 0 for no target; and those that were not.
ALTER TABLE lease ADD COLUMN within bigint NOT NULL DEFAULT 0;
CREATE TABLE missed (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, lease text NOT NULL UNIQUE,
  tenant text NOT NULL, consumer text NOT NULL, due bigint NOT NULL, cause text NOT NULL);
CREATE TRIGGER missed_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON missed
  FOR EACH STATEMENT EXECUTE FUNCTION only_added_to();
