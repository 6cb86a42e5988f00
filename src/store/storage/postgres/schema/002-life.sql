-- The machine's time of the last write, before which no real clock goes on; and when something is due in a world that
-- nobody holds.
ALTER TABLE worlds ADD COLUMN written timestamptz, ADD COLUMN due timestamptz;

-- Hosted pages are found by their token, as a link carries no key.
CREATE INDEX tokens ON records (key) WHERE kind = 'links';
