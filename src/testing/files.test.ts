import { basename, dirname } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from './files.ts';

it('is in the folder of this test run, which is removed at its end', () => {
  expect(basename(dirname(newFolder()))).toMatch(/^billing-emulator-tests-/);
});
