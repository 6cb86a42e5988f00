-- The worlds, by key. The present state of a world is its generation; one without a generation has no state, as its
-- sandbox was deleted or it was never used.
CREATE TABLE worlds (
  key text COLLATE "C" PRIMARY KEY,
  sandbox text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  generation bigint,
  -- How its sandbox was made by request, and what a reset restores.
  made json,
  origin json,
  -- Its state beside its records.
  sequence bigint NOT NULL DEFAULT 0,
  requests bigint NOT NULL DEFAULT 0,
  clock json,
  -- The machine's time of the last write, before which no real clock goes on; and when something is due while nobody
  -- holds it.
  written timestamptz,
  due timestamptz,
  -- The emulator that holds it, the address at which others reach that one if it is known, and until when by the time of
  -- this database. Each claim has another epoch, and each write of a holder another head.
  epoch bigint NOT NULL DEFAULT 0,
  head bigint NOT NULL DEFAULT 0,
  holder text,
  url text,
  lease timestamptz
);

-- The records of all generations. `key` is the id of a record as in a JSON text, without its quotes; `place` is its place
-- in the order of creation. Records of all kinds are read in that order, and added at the end of it. Rows are of type json,
-- which keeps the order of fields, and amounts are exact texts in them.
CREATE TABLE records (
  world text COLLATE "C" NOT NULL,
  generation bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  row json NOT NULL,
  PRIMARY KEY (world, generation, place, kind, key)
);

-- Hosted pages are found by their token, as a link carries no key.
CREATE INDEX tokens ON records (key) WHERE kind = 'links';

-- Inboxes are found by their name, as who sends a webhook has no key: they are where a destination of that name is.
CREATE INDEX inboxes ON records ((substring(row->>'url' FROM '/_emulator/inbox/([^/?#]+)'))) WHERE kind = 'webhooks';

-- Further generations: snapshots, and what resets restore.
CREATE TABLE images (
  world text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  generation bigint NOT NULL,
  -- Its name and times, and its state beside its records.
  label json NOT NULL,
  PRIMARY KEY (world, kind, name)
);

CREATE SEQUENCE generations AS bigint;
