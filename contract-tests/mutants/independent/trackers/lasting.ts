import type { Context } from 'billing-emulator/internals';
import type { Advice, Loose } from '../../mutant.ts';

/**
 * Changes each row that is stored in a table after the first request to the operation, whatever stores it: another
 * operation, a payment page or the clock. `table` still has the former row.
 */
export function storingEver(
  name: keyof Context['tables'],
  change: (row: Loose, table: Loose, world: Context['world']) => Loose,
): Advice {
  const changed = new WeakSet<object>();
  return (_call, { tables, world }, run) => {
    const table: Loose = tables[name];
    if (!changed.has(table)) {
      changed.add(table);
      const put = table.put.bind(table);
      table.put = (row: Loose) => put(change(row, table, world));
    }
    return run();
  };
}
