import { type Loose, type Mutant, showing } from '../mutant.ts';
import { bugs } from './bug.ts';
import { actingFor, keeping, overlay, rescheduled } from './deep.ts';

const byCode = (left: Loose, right: Loose): number => (left.code < right.code ? -1 : 1);

/** The amount rounded up when it is exactly halfway; otherwise undefined. */
function halfUp(amount: number, places: number): number | undefined {
  const scaled = amount * 10 ** places;
  const isTie = Math.abs(scaled - Math.floor(scaled) - 0.5) < 1e-9;
  return isTie ? (Math.floor(scaled) + 1) / 10 ** places : undefined;
}

/** Connected accounts, assets, rates and quotes. */
export const rateBugs: readonly Mutant[] = bugs({
  getConnectedAccount: {
    'answers a connected account about its siblings': actingFor((_, { world }) => world.accountId),
  },
  createAsset: {
    'reckons with twelve digits of the rate where its inverse was given': keeping('assets', (row) =>
      rescheduled(row, (list) => list.map(({ inverse_rate: _exact, ...period }) => period)),
    ),
  },
  setAssetRate: {
    'ends the rates of other sources too': keeping('assets', (row, { body }, { now }) =>
      rescheduled(row, (list, source) =>
        source === body.source
          ? list
          : list.map((period) =>
              period.valid_to === undefined && period.valid_from < now
                ? { ...period, valid_to: now }
                : period,
            ),
      ),
    ),
    'takes a rate of the past as of now where a later one is known': (
      call,
      { tables, owner },
      run,
    ) => {
      const row: Loose = tables.assets.get(`${owner}\n${call.path.assetCode}`);
      const from = call.body.valid_from && new Date(call.body.valid_from).toISOString();
      const known: Loose[] = row?.schedules[call.body.source] ?? [];
      const isLate = from && known.some(({ valid_from }) => valid_from > from);
      return run(isLate ? { ...call, body: { ...call.body, valid_from: undefined } } : call);
    },
    'goes back to the former rate after valid_to': keeping('assets', (row, { body }) =>
      rescheduled(row, (list, source) => {
        if (source !== body.source || !body.valid_to) return list;
        const [newest, former, ...others] = list;
        if (!newest?.valid_to || former?.valid_to !== newest.valid_from) return list;
        const again = { ...former, valid_from: newest.valid_to, valid_to: undefined };
        return [again, newest, former, ...others];
      }),
    ),
  },
  quoteAsset: {
    'rounds half up': showing(
      ({ source_amount, destination_amount: even, rate }, { path }, { tables, owner }) => {
        const { precision = 10 } = tables.assets.get(`${owner}\n${path.assetCode}`) ?? {};
        // Amounts in a currency have more decimal places.
        const isCut = Number(even.toFixed(precision)) === even;
        const rounded = isCut ? halfUp(source_amount / rate, precision) : undefined;
        return rounded === undefined ? {} : { destination_amount: rounded };
      },
    ),
  },
  listAssets: {
    'sorts each page by itself': (call, context, run) => {
      const reply = run(
        call,
        overlay(context, 'assets', (table) => ({
          list: (...asked: string[]) =>
            table.list(...asked).toSorted((left: Loose, right: Loose) => left.seq - right.seq),
        })),
      );
      return { ...reply, body: { ...reply.body, items: reply.body.items.toSorted(byCode) } };
    },
  },
});
