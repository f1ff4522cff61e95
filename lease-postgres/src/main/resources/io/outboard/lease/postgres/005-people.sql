-- For whom somebody vouches who has made a token.
ALTER TABLE token ADD COLUMN "user" text NOT NULL DEFAULT '';
ALTER TABLE token ADD COLUMN fqan text NOT NULL DEFAULT '';
