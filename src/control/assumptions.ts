import { readAssumptions } from '../spec/assumptions.ts';
import type { ControlHandler } from './context.ts';

export const listAssumptions: ControlHandler<'listAssumptions'> = () => {
  const items = readAssumptions().map(({ settings, operations, ...entry }) => ({
    ...entry,
    ...(settings && { settings: [...settings] }),
    ...(operations && { operations: operations === 'all' ? ['all'] : [...operations] }),
  }));
  return { status: 200, body: { items, total_count: items.length } };
};
