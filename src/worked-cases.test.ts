import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { createTestClient } from './testing/client.ts';
import { playWorkedCase, type WorkedCase } from './testing/worked-cases.ts';

/** Numbers worked out by hand: each case of each file of scripts is played over HTTP. */
const folder = new URL('testing/worked-cases/', import.meta.url);
const client = createTestClient();

describe.each(readdirSync(folder))('%s', (name) => {
  const cases = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as WorkedCase[];

  it.each(cases)('$name', (each) => playWorkedCase(client, each));
});
