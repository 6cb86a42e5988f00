import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** For tests: an empty folder. All of them are removed when the tests end. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'test-'));
