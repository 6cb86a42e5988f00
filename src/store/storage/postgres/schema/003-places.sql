-- Inboxes are found by their name, as who sends a webhook has no key: they are where a destination of that name is.
CREATE INDEX inboxes ON records ((substring(row->>'url' FROM '/_emulator/inbox/([^/?#]+)'))) WHERE kind = 'webhooks';

-- Records are read in the order of creation, and added at the end of it.
ALTER TABLE records DROP CONSTRAINT records_pkey, ADD PRIMARY KEY (world, generation, kind, place, key);
