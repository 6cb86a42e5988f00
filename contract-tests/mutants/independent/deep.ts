import { type Context, handlers, RuleViolation, withoutPauses } from 'billing-emulator/internals';
import type { OperationId } from 'billing-emulator/spec';
import type { Advice, Loose } from '../mutant.ts';

/** Defects inside an operation: in the rows it reads or stores, and in the operations it calls. */

/** A context with some methods of a table replaced. `methodsOf` gets the original table. */
export function overlay(
  context: Context,
  name: keyof Context['tables'],
  methodsOf: (table: Loose) => Loose,
): Context {
  const table: Loose = context.tables[name];
  const methods = methodsOf(table);
  const changed = new Proxy(table, {
    get(target, field) {
      if (methods[field]) return methods[field];
      const value = target[field];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...context, tables: { ...context.tables, [name]: changed } };
}

/** Runs the handler with some methods of a table replaced. */
export const through =
  (
    name: keyof Context['tables'],
    methodsOf: (table: Loose, call: Loose, context: Context) => Loose,
  ): Advice =>
  (call, context, run) =>
    run(
      call,
      overlay(context, name, (table) => methodsOf(table, call, context)),
    );

/** Changes rows before they are stored. */
export const keeping = (
  name: keyof Context['tables'],
  change: (row: Loose, call: Loose, context: Context) => Loose,
): Advice =>
  through(name, (table, call, context) => ({
    put: (row: Loose) => table.put(change(row, call, context)),
  }));

/** Changes the rows that are listed by one index. */
export const reading = (
  name: keyof Context['tables'],
  index: string,
  change: (rows: readonly Loose[]) => readonly Loose[],
): Advice =>
  through(name, (table) => ({
    list(asked: string, key: string) {
      const rows = table.list(asked, key);
      return asked === index ? change(rows) : rows;
    },
  }));

/** An asset's row with each of its rate schedules changed. */
export const rescheduled = (
  row: Loose,
  change: (list: Loose[], source: string) => Loose[],
): Loose => {
  const schedules = Object.entries(row.schedules as Record<string, Loose[]>);
  const changed = schedules.map(([source, list]) => [source, change(list, source)]);
  return { ...row, schedules: Object.fromEntries(changed) };
};

/** Changes the rows that are read by their id. */
export const seeing = (
  name: keyof Context['tables'],
  change: (row: Loose, call: Loose, context: Context) => Loose,
): Advice =>
  through(name, (table, call, context) => ({
    get(id: string) {
      const row = table.get(id);
      return row && change(row, call, context);
    },
  }));

/** Draws credit in another order. `compare` sorts the grants. */
export const drawing = (compare: (left: Loose, right: Loose) => number): Advice =>
  reading('grants', 'open', (grants) => grants.toSorted(compare));

/** Runs the handler for another account than that of the request. */
export const actingFor =
  (ownerOf: (call: Loose, context: Context) => string | undefined): Advice =>
  (call, context, run) =>
    run(call, { ...context, owner: ownerOf(call, context) ?? context.owner });

/** Calls another operation from within one. */
export function ask(operation: OperationId, call: Loose, context: Context): Loose {
  const handler = handlers[operation] as (call: Loose, context: Context) => Loose;
  return withoutPauses(() => handler({ path: {}, query: {}, ...call }, context));
}

/** Sends an activation as a test event, after the request, so that its rejection does not undo the event. */
export function announceLater(context: Context, value: Loose): void {
  const { world } = context;
  const test = {
    path: { topic: 'subscription.activated' },
    body: { value, text: JSON.stringify(value) },
  };
  setImmediate(() => {
    if (!world.isClosed) world.commit(() => ask('testWebhooks', test, context));
  });
}

/** Rejects a valid request with 422 for a field. */
export function refuse(field: string): never {
  throw new RuleViolation([{ field, message: 'This is not accepted.' }] as Loose);
}

/** Reads the whole list without some of the filters, changes it, and returns a page of it. */
export const relisted =
  (
    without: readonly string[],
    change: (items: readonly Loose[], query: Loose, context: Context) => readonly Loose[],
  ): Advice =>
  (call, context, run) => {
    const { limit = 100, offset = 0, ...query } = call.query;
    const rest = { ...query };
    for (const name of without) delete rest[name];
    const reply = run({ ...call, query: { ...rest, limit: 1_000_000, offset: 0 } });
    if (!reply.body) return reply;
    const items = change(reply.body.items, query, context);
    const page = { items: items.slice(offset, offset + limit), limit, offset };
    return { ...reply, body: { ...reply.body, ...page, total_count: items.length } };
  };

/** Applies a filter to the page only, not to the whole list. */
export const filteringThePage =
  (name: string, fits: (item: Loose, wanted: Loose, context: Context) => boolean): Advice =>
  (call, context, run) => {
    const wanted = call.query[name];
    if (wanted === undefined) return run();
    const reply = run({ ...call, query: { ...call.query, [name]: undefined } });
    if (!reply.body) return reply;
    const items = reply.body.items.filter((item: Loose) => fits(item, wanted, context));
    const { total_count } = run().body;
    return { ...reply, body: { ...reply.body, items, total_count } };
  };

/** Drops the zone offset of a time, so that it counts as UTC. */
export const withoutZone = (text: Loose): Loose =>
  typeof text === 'string' ? text.replace(/[+-]\d\d:\d\d$/, 'Z') : text;
