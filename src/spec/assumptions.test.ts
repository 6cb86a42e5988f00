import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SETTING_NAMES } from '../config/settings.ts';
import { readAssumptions } from './assumptions.ts';
import { loadDocument } from './document.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PLACES = ['src', 'contract-tests/receiver', 'spec/openapi.yaml', 'spec/control.yaml'];
const register = readAssumptions();

/** All assumptions named in code or in an interface document, with the files that name them. */
const used = new Map<string, string[]>();
for (const path of PLACES.flatMap(filesOf)) {
  for (const [id] of readFileSync(join(ROOT, path), 'utf8').matchAll(/\bA-\d{3,4}\b/g))
    used.set(id, [...(used.get(id) ?? []), path]);
}

function filesOf(place: string): string[] {
  if (place.endsWith('.yaml')) return [place];
  return readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$|\.d\.ts$/.test(path))
    .map((path) => join(place, path));
}

describe('spec/assumptions.yaml', () => {
  it('contains every assumption that the code or a document names', () => {
    const known = new Set(register.map(({ id }) => id));

    expect([...used.keys()].filter((id) => !known.has(id))).toEqual([]);
  });

  it('contains no assumption that is not named in the code or a document', () => {
    expect(register.filter(({ id }) => !used.has(id)).map(({ id }) => id)).toEqual([]);
  });

  it('is sorted by id', () => {
    const numbers = register.map(({ id }) => Number(id.slice(2)));

    expect(numbers).toEqual([...numbers].sort((left, right) => left - right));
  });

  it('names settings and operations that exist', () => {
    const operations = loadDocument('openapi').operations;
    const wrong = register.flatMap(({ id, settings = [], operations: listed = [] }) => [
      ...settings
        .filter((name) => !SETTING_NAMES.includes(name as never))
        .map((name) => [id, name]),
      ...(listed === 'all' ? [] : listed)
        .filter((name) => !operations.has(name))
        .map((name) => [id, name]),
    ]);

    expect(wrong).toEqual([]);
  });

  it.each(register.map((entry) => [entry.id, entry] as const))('explains %s', (_, entry) => {
    expect(entry.title).toMatch(/\S/);
    expect(entry.gap).toMatch(/\S/);
    expect(entry.decision).toMatch(/\S/);
    expect(entry.reason).toMatch(/\S/);
    expect(['shape', 'behaviour', 'limit']).toContain(entry.kind);
    expect(['money', 'shape', 'cosmetic']).toContain(entry.weight);
    expect(['specification', 'published', 'published client', 'domain']).toContain(entry.evidence);
  });
});
