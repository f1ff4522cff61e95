-- How firmly a lease has its devices, and from when on it wants them; 0 for now.
ALTER TABLE lease ADD COLUMN class text NOT NULL DEFAULT 'shared';
ALTER TABLE lease ADD COLUMN starts bigint NOT NULL DEFAULT 0;
