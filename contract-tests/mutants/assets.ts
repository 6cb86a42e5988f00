import { type Context, key, RuleViolation } from 'billing-emulator/internals';
import {
  asking,
  declared,
  each,
  forgetting,
  type Loose,
  type Mutant,
  onRefusal,
  showing,
} from './mutant.ts';

/** Changes every period of an asset's rates. */
const periods = (change: (period: Loose, place: number) => Loose) =>
  each('rates', ({ schedule }) => ({ schedule: schedule.map(change) }));

/** The rates that a quote chooses from, newest first. */
const scheduleOf = ({ path, body }: Loose, { tables, owner }: Context): readonly Loose[] =>
  tables.assets.get(key(owner, path.assetCode))?.schedules[body.source] ?? [];

export const assetMutants: readonly Mutant[] = [
  declared('inverse_rate equals rate', ['AST-29'], {
    getAsset: periods((period) => ({ ...period, inverse_rate: period.rate })),
  }),
  declared('A new rate leaves the former open', ['AST-09'], {
    getAsset: periods(({ valid_to: _, ...period }) => period),
  }),
  declared('Rates stand oldest first', ['AST-09'], {
    getAsset: each('rates', ({ schedule }) => ({ schedule: schedule.toReversed() })),
  }),
  declared('A quote uses the oldest rate', ['AST-09'], {
    quoteAsset: showing((body, call, context) => {
      const rate = Number(scheduleOf(call, context).at(-1)?.rate ?? body.rate);
      return { rate, inverse_rate: 1 / rate, destination_amount: call.body.amount / rate };
    }),
  }),
  declared('A quote uses a rate not yet in force', ['AST-31'], {
    quoteAsset: showing((body, call, context) => ({
      rate: Number(scheduleOf(call, context)[0]?.rate ?? body.rate),
    })),
  }),
  declared('A quote multiplies by the rate', ['AST-15'], {
    quoteAsset: showing((body) => ({ destination_amount: body.source_amount * body.rate })),
  }),
  declared('A quote names its source as destination', ['AST-14'], {
    quoteAsset: showing((body) => ({ destination: body.source })),
  }),
  declared('precision is ignored on create', ['AST-01'], { createAsset: forgetting('precision') }),
  declared('label and symbol are ignored on create', ['AST-01'], {
    createAsset: forgetting('label', 'symbol'),
  }),
  declared('Starting rates are ignored', ['AST-01'], { createAsset: forgetting('rates') }),
  declared('Assets are listed backwards', ['AST-07'], {
    listAssets: showing((body) => ({ items: [...body.items].reverse() })),
  }),
  declared('A used code renames the asset', ['AST-06'], {
    createAsset: onRefusal((error, call, { tables }) => {
      const row = [...tables.assets.values()].find(({ code }) => code === call.body.code);
      if (!(error instanceof RuleViolation) || !row) return undefined;
      tables.assets.put({ ...row, name: call.body.name });
      return { status: 201, body: { code: row.code, created_at: row.created_at } };
    }),
  }),
  declared('Codes of two letters are refused', ['AST-03'], {
    createAsset: (call, _, run) => {
      if (call.body.code.length >= 64)
        throw new RuleViolation([{ field: 'code', message: 'Expected a shorter code.' }]);
      return run();
    },
  }),
  declared('A rate without valid_from starts in 1970', ['AST-09'], {
    setAssetRate: asking((call) => {
      call.body.valid_from ??= '1970-01-01T00:00:00Z';
    }),
  }),
  declared('valid_to is dropped', ['AST-21'], { setAssetRate: forgetting('valid_to') }),
];
