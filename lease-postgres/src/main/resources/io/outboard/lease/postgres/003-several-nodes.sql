-- On how many nodes the devices of a lease may be.
ALTER TABLE lease ADD COLUMN most_nodes integer NOT NULL DEFAULT 1;
