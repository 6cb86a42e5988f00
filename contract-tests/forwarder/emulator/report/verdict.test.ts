import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TwinCause } from './causes.ts';
import type { TwinSummary } from './report.ts';
import { readKnown, verdictOf, writeKnown } from './verdict.ts';

const causeOf = (cause: string, ...also: string[]) =>
  ({ cause, also: also.map((name) => ({ name })) }) as unknown as TwinCause;

const verdictOn = (
  causes: readonly string[],
  lost: number,
  compared: number,
  known: readonly string[] = [],
) => {
  const found = { causes: causes.map((cause) => causeOf(cause)), lost, compared };
  const summary = { ...found, requests: lost + compared } as unknown as TwinSummary;
  return verdictOf(summary, new Set(known));
};

it.each<[string, string[], number, number, string[], number]>([
  ['all agrees', [], 0, 1, [], 0],
  ['something differs', ['a'], 0, 1, [], 11],
  ['what differs is known', ['a'], 0, 1, ['a', 'b'], 0],
  ['something else differs than is known', ['a', 'c'], 0, 1, ['a'], 11],
  ['something differs, and the service did not answer all', ['a'], 1, 1, [], 11],
  ['the service did not answer all', [], 1, 1, [], 6],
  ['the service never answered', [], 1, 0, [], 6],
  ['nothing was compared', [], 0, 0, [], 12],
])('the twin exits with the code for this case: %s', (_, causes, lost, compared, known, code) => {
  expect(verdictOn(causes, lost, compared, known).code).toBe(code);
});

it('a baseline keeps the names of causes, and of what never came without them', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'twin-')), 'known.json');
  writeKnown([causeOf('b', 'c'), causeOf('a')], file);

  expect([...readKnown(file)]).toEqual(['a', 'b', 'c']);
});
