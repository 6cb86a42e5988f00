import { groupBy } from '../domain/lists.ts';
import { readAssumptions } from '../spec/assumptions.ts';
import type { ControlHandler } from './context.ts';

export const listAssumptions: ControlHandler<'listAssumptions'> = () => {
  const items = readAssumptions().map(({ settings, operations, ...entry }) => ({
    ...entry,
    ...(settings && { settings: [...settings] }),
    ...(operations && { operations: operations === 'all' ? ['all'] : [...operations] }),
  }));
  const counted = groupBy(items, ({ evidence }) => evidence);
  const by_evidence = Object.fromEntries(
    [...counted].map(([evidence, entries]) => [evidence, entries.length]),
  );
  return { status: 200, body: { items, total_count: items.length, by_evidence } };
};
