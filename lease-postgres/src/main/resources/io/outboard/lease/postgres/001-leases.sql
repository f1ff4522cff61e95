-- Tenants, tokens, leases and the ledger; names are as in the store of one node.
CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA public;

CREATE TABLE fact (name text PRIMARY KEY, value text NOT NULL);

CREATE TABLE lease (
  id text COLLATE "C" PRIMARY KEY, tenant text NOT NULL, consumer text NOT NULL,
  gpus integer NOT NULL, model text NOT NULL, memory bigint NOT NULL, share integer NOT NULL,
  priority integer NOT NULL, seconds bigint NOT NULL, placement text NOT NULL,
  state text NOT NULL, epoch bigint NOT NULL, requested bigint NOT NULL, granted bigint NOT NULL,
  expires bigint NOT NULL, reason text NOT NULL, ended bigint NOT NULL DEFAULT 0,
  consumer_type text NOT NULL, consumer_id text NOT NULL, "user" text NOT NULL,
  fqan text NOT NULL, site text NOT NULL, arch text NOT NULL, idle_suspend bigint NOT NULL,
  idle_revoke bigint NOT NULL, mode text NOT NULL, profile text NOT NULL, grace bigint,
  keep bigint NOT NULL);
CREATE INDEX lease_living ON lease (requested, id) WHERE ended = 0;
CREATE INDEX lease_ended ON lease (ended DESC, id);
CREATE INDEX lease_epoch ON lease (epoch);
CREATE INDEX lease_tenant ON lease (tenant, ended DESC, id);

-- A lease's part of a device: 'part' are the thousandths of it that nobody else has meanwhile.
CREATE TABLE hold (
  lease text COLLATE "C" NOT NULL REFERENCES lease (id), place integer NOT NULL,
  node text NOT NULL, uuid text NOT NULL, number integer NOT NULL, model text NOT NULL,
  size bigint NOT NULL, arch text NOT NULL, share integer NOT NULL, memory bigint NOT NULL,
  since bigint NOT NULL, bytes_in bigint NOT NULL DEFAULT 0, bytes_out bigint NOT NULL DEFAULT 0,
  busy bigint, energy bigint, part int4multirange NOT NULL DEFAULT '{}',
  PRIMARY KEY (lease, place),
  CONSTRAINT no_device_twice EXCLUDE USING gist (node WITH =, uuid WITH =, part WITH &&));
CREATE INDEX hold_gpu ON hold (uuid, node);

CREATE TABLE ledger (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, lease text NOT NULL,
  tenant text NOT NULL, consumer text NOT NULL, epoch bigint NOT NULL, node text NOT NULL,
  gpu integer NOT NULL, uuid text NOT NULL, model text NOT NULL, size bigint NOT NULL,
  arch text NOT NULL, share integer NOT NULL, begun bigint NOT NULL, ended bigint NOT NULL,
  bytes_in bigint NOT NULL, bytes_out bigint NOT NULL, busy bigint, energy bigint,
  last integer NOT NULL, consumer_type text NOT NULL, consumer_id text NOT NULL,
  "user" text NOT NULL, fqan text NOT NULL, site text NOT NULL, mode text NOT NULL);
CREATE INDEX ledger_ended ON ledger (ended);
CREATE INDEX ledger_tenant ON ledger (tenant);
CREATE INDEX ledger_lease ON ledger (lease);

CREATE TABLE tenant (name text COLLATE "C" PRIMARY KEY, budget bigint);

CREATE TABLE token (
  id text PRIMARY KEY, hash text NOT NULL UNIQUE, role text NOT NULL, tenant text NOT NULL,
  note text NOT NULL, created bigint NOT NULL, expires bigint NOT NULL,
  revoked integer NOT NULL DEFAULT 0);

-- The nodes that may join the pool, and their devices as they last said.
CREATE TABLE node (
  name text COLLATE "C" PRIMARY KEY, hash text NOT NULL, joined integer NOT NULL,
  until bigint NOT NULL, endpoints text NOT NULL DEFAULT '');
CREATE TABLE node_gpu (
  node text COLLATE "C" NOT NULL REFERENCES node (name), number integer NOT NULL,
  uuid text NOT NULL, model text NOT NULL, size bigint NOT NULL, arch text NOT NULL,
  PRIMARY KEY (node, uuid));

CREATE FUNCTION only_added_to() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is only added to';
END $$;
CREATE TRIGGER ledger_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger
  FOR EACH STATEMENT EXECUTE FUNCTION only_added_to();

-- The first so many thousandths of those that are free; fewer where there are not as many.
CREATE FUNCTION first_free(wanted integer, taken int4multirange) RETURNS int4multirange
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(range_agg(int4range(low, least(high, low + wanted - before::integer))), '{}')
  FROM (
    SELECT lower(free) AS low, upper(free) AS high,
      coalesce(sum(upper(free) - lower(free)) OVER (
        ORDER BY lower(free) ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
    FROM unnest('{[0,1000)}'::int4multirange - taken) AS free) AS frees
  WHERE before < wanted
$$;

CREATE FUNCTION thousandths(part int4multirange) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(sum(upper(one) - lower(one)), 0)::integer FROM unnest(part) AS one
$$;

-- Whatever writes to the table: a part is found for it here, and the exclusion above holds it
-- against all who write at the same time. A suspended lease has given its part away.
CREATE FUNCTION take_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  taken int4multirange;
BEGIN
  NEW.part := '{}';
  IF NEW.share > 0 AND NOT EXISTS (
      SELECT FROM lease WHERE id = NEW.lease AND state IN ('suspended', 'held')) THEN
    SELECT coalesce(range_agg(other.part), '{}') INTO taken FROM hold AS other
      WHERE other.node = NEW.node AND other.uuid = NEW.uuid
        AND (other.lease, other.place) <> (NEW.lease, NEW.place);
    NEW.part := first_free(NEW.share, taken);
    IF thousandths(NEW.part) < NEW.share THEN
      RAISE EXCEPTION 'device % of node % has no % thousandths free',
        NEW.uuid, NEW.node, NEW.share USING ERRCODE = 'exclusion_violation';
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER hold_takes BEFORE INSERT OR UPDATE OF node, uuid, share, part ON hold
  FOR EACH ROW EXECUTE FUNCTION take_part();

CREATE FUNCTION give_and_take() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE hold SET share = share WHERE lease = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER lease_moves AFTER UPDATE OF state ON lease FOR EACH ROW
  WHEN ((OLD.state IN ('suspended', 'held')) <> (NEW.state IN ('suspended', 'held')))
  EXECUTE FUNCTION give_and_take();
