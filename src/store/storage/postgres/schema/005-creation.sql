-- Records of all kinds are read in the order of creation.
ALTER TABLE records DROP CONSTRAINT records_pkey, ADD PRIMARY KEY (world, generation, place, kind, key);
