-- The address at which other emulators reach the one that holds a world; null if none is known.
ALTER TABLE worlds ADD COLUMN url text;
