import { expect, it } from 'vitest';
import { blindTo, EXPORT_FIELDS, missedFields, nameOfField } from './every-field.ts';
import { compareImages, proveComparison } from './prove.ts';

const PATIENCE_MS = 240_000;

/** The short form of `npm run prove -- diff`. */
it(
  'says nothing of two worlds if and only if their exports are equal',
  () => proveComparison(20260115, 20),
  PATIENCE_MS,
);

it('tells of every field of every table where nothing else is changed', () => {
  expect(EXPORT_FIELDS.length).toBeGreaterThan(350);
  expect(missedFields(compareImages, EXPORT_FIELDS)).toEqual([]);
});

it('would be red for a comparison that is blind to any of them', () => {
  const unnoticed = EXPORT_FIELDS.filter((field) => {
    const ofTable = EXPORT_FIELDS.filter(({ table }) => table === field.table);
    const missed = missedFields(blindTo(field, compareImages), ofTable);
    return missed.join() !== nameOfField(field);
  });

  expect(unnoticed).toEqual([]);
});
