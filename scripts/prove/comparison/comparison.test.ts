import { expect, it } from 'vitest';
import { blindTo, EXPORT_FIELDS, missedFields, nameOfField } from './every-field.ts';
import { compareImages, proveComparison } from './prove.ts';

const PATIENCE_MS = 240_000;

/** The short form of `npm run prove -- diff`. */
it(
  'compareWorlds reports no difference exactly if the exports are equal',
  () => proveComparison(20260115, 20),
  PATIENCE_MS,
);

it('compareImages reports a change of any single field of any table', () => {
  expect(EXPORT_FIELDS.length).toBeGreaterThan(350);
  expect(missedFields(compareImages, EXPORT_FIELDS)).toEqual([]);
});

it('missedFields detects a comparison that ignores any single field', () => {
  const unnoticed = EXPORT_FIELDS.filter((field) => {
    const ofTable = EXPORT_FIELDS.filter(({ table }) => table === field.table);
    const missed = missedFields(blindTo(field, compareImages), ofTable);
    return missed.join() !== nameOfField(field);
  });

  expect(unnoticed).toEqual([]);
});
