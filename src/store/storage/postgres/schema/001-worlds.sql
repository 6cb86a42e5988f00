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
  -- The emulator that holds it, and until when by the time of this database. Each claim has another epoch, and each
  -- write of a holder another head.
  epoch bigint NOT NULL DEFAULT 0,
  head bigint NOT NULL DEFAULT 0,
  holder text,
  lease timestamptz
);

-- The records of all generations. `key` is the id of a record as in a JSON text, without its quotes; `place` is its place
-- in the order of creation. Rows are of type json, which keeps the order of fields, and amounts are exact texts in them.
CREATE TABLE records (
  world text COLLATE "C" NOT NULL,
  generation bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  row json NOT NULL,
  PRIMARY KEY (world, generation, kind, key)
);

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
