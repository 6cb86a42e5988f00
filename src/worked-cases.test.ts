import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { createTestClient } from './testing/client.ts';
import { playWorkedCase, type WorkedCase } from './testing/worked-cases.ts';

/** Numbers worked out by hand: each case of each file of scripts is played over HTTP. */
const folder = new URL('testing/worked-cases/', import.meta.url);
const client = createTestClient();

/** Cases of behaviour that is not there yet. */
const PENDING = new Set([
  'a plan of 20 brings in 20',
  'a plan that defers a part',
  'drawn to the end, then debt, then the renewal',
  'a fee smaller than what its credit is worth',
  'ended: its credit stays, and counts when it ends',
  'credit given once defers once',
  'two bundled credits and a quantity',
  'a monthly fee with weekly credit',
  'a monthly fee below its weekly credit',
  'a yearly fee with monthly credit',
  'rollover keeps its share when its end moves',
  'gift and other bring in nothing',
  'another version: a raised fee at the renewal, its new credit with it',
]);

describe.each(readdirSync(folder))('%s', (name) => {
  const cases = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as WorkedCase[];

  it.each(cases.filter((each) => !PENDING.has(each.name)))('$name', (each) =>
    playWorkedCase(client, each),
  );
});
