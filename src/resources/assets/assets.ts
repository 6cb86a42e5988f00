import { findCurrency } from '../../domain/currencies.ts';
import { decimal, format } from '../../domain/decimal.ts';
import { omitNullish } from '../../domain/fields.ts';
import { type Instant, instant } from '../../domain/instant.ts';
import {
  agrees,
  insertPeriod,
  inverseOf,
  nextRateChange,
  periodAt,
  quote,
  type Rate,
  type RatePeriod,
  type RateSchedule,
  readRate,
  validatePeriod,
} from '../../domain/rates.ts';
import {
  type Finding,
  finding,
  findingIf,
  isGiven,
  throwIfInvalid,
  violate,
} from '../../domain/rules.ts';
import type { Call } from '../../spec/operations.ts';
import type { AssetRow } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { wireNumber } from '../../text/exact-json.ts';
import type { Handler } from '../context.ts';
import { inOrder } from '../paging.ts';
import { notFound } from '../problems.ts';
import { retryWithRate } from '../wallet-accounts.ts';
import { findAsset, findAssetRow } from './asset-lookup.ts';

export const createAsset: Handler<'createAsset'> = ({ body }, context) => {
  const { tables, world, owner, now } = context;
  const { code, name } = body;
  const known = findAssetRow(context, code);
  throwIfInvalid(validateAsset(body, known));

  let schedules = known?.schedules ?? {};
  for (const { source, ...sides } of body.rates ?? [])
    schedules = withPeriod(schedules, source, { valid_from: now, ...(readRate(sides) as Rate) });
  const asset = tables.assets.put({
    id: key(owner, code),
    seq: known?.seq || world.nextSeq(),
    owner,
    created_at: now,
    code,
    name,
    precision: known?.precision ?? body.precision ?? 0,
    label: body.label ?? code,
    ...omitNullish({ symbol: body.symbol }),
    listed: true,
    ...ratesOf(schedules, now),
  });
  retryWithRate(context, asset);
  return { status: 201, body: { code, created_at: now } };
};

export const listAssets: Handler<'listAssets'> = ({ query }, { tables, owner }) => {
  const rows = [...tables.assets.sorted('listed', owner)];
  return { status: 200, body: inOrder(rows, query, ({ code, name }) => ({ code, name })) };
};

export const getAsset: Handler<'getAsset'> = ({ path }, context) => {
  const asset = findAssetRow(context, path.assetCode) ?? notFound();
  return { status: 200, body: presentAsset(asset) };
};

export const quoteAsset: Handler<'quoteAsset'> = ({ path, body }, context) => {
  const { source } = body;
  const asset = findAsset(context, path.assetCode) ?? violate('asset.unknown', 'assetCode');
  if (!findCurrency(source)) violate('currency.required', 'source');

  const amount = decimal(body.amount);
  const at = body.exchange_at ? instant(body.exchange_at) : context.now;
  const rate = rateAt(asset, source, at) ?? violate('rate.none_in_force', 'source');
  return {
    status: 200,
    body: {
      source,
      source_amount: wireNumber(format(amount)),
      destination: asset.code,
      destination_amount: wireNumber(format(quote(amount, rate, asset.places))),
      ...presentRate(rate),
    },
  };
};

export const setAssetRate: Handler<'setAssetRate'> = ({ path, body }, context) => {
  const { source } = body;
  const asset = findAssetRow(context, path.assetCode) ?? violate('asset.unknown', 'assetCode');
  const period: RatePeriod = {
    valid_from: body.valid_from ? instant(body.valid_from) : context.now,
    ...(body.valid_to && { valid_to: instant(body.valid_to) }),
    rate: format(decimal(body.rate)),
  };
  throwIfInvalid([
    ...validateSource(source, asset.code, 'source'),
    ...validatePeriod(asset.schedules[source] ?? [], period),
  ]);

  const { rates_change_at: _former, ...rest } = asset;
  const changed = context.tables.assets.put({
    ...rest,
    seq: asset.seq || context.world.nextSeq(),
    ...ratesOf(withPeriod(asset.schedules, source, period), context.now),
  });
  retryWithRate(context, changed);
  return { status: 204 };
};

/** The rate of an asset in a source; 1 if both are the same currency. @assumes A-404 */
const rateAt = ({ code, schedules }: AssetRow, source: string, at: Instant): Rate | undefined =>
  source === code ? { rate: '1' } : periodAt(schedules[source] ?? [], at);

function withPeriod(schedules: AssetRow['schedules'], source: string, period: RatePeriod) {
  return { ...schedules, [source]: insertPeriod(schedules[source] ?? [], period) };
}

/**
 * The rate fields of a row, with the next moment when a rate begins or ends. That moment is due work, so the clock
 * lists it.
 */
export function ratesOf(
  schedules: AssetRow['schedules'],
  now: Instant,
): Pick<AssetRow, 'schedules' | 'rates_change_at'> {
  return {
    schedules,
    ...omitNullish({ rates_change_at: nextRateChange(Object.values(schedules), now) }),
  };
}

/** Sources sorted by their latest rate, newest first; equal ones in the order given. */
function presentRates(schedules: AssetRow['schedules']) {
  return Object.entries(schedules)
    .toSorted(([, left], [, right]) => compareNewest(left, right))
    .map(([source, schedule]) => ({ source, schedule: schedule.map(presentPeriod) }));
}

function compareNewest([left]: RateSchedule, [right]: RateSchedule): number {
  const [first, second] = [left?.valid_from ?? '', right?.valid_from ?? ''];
  return first === second ? 0 : first < second ? 1 : -1;
}

function presentPeriod({ rate, inverse_rate, ...span }: RatePeriod) {
  return { ...span, ...presentRate({ rate, ...omitNullish({ inverse_rate }) }) };
}

function presentRate({ rate, inverse_rate = format(inverseOf(decimal(rate))) }: Rate) {
  return { rate: wireNumber(rate), inverse_rate: wireNumber(inverse_rate) };
}

function presentAsset({ code, name, precision, label, symbol, schedules, created_at }: AssetRow) {
  return {
    code,
    name,
    precision,
    label,
    ...omitNullish({ symbol }),
    rates: presentRates(schedules),
    created_at,
  };
}

type AssetCreate = Call<'createAsset'>['body'];

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Checks a new asset, given the existing row with its code. @assumes */
function validateAsset(asset: AssetCreate, known: AssetRow | undefined): readonly Finding[] {
  const { code, precision, symbol } = asset;
  const fixed = findCurrency(code)?.precision;
  const isOther = fixed !== undefined && (precision ?? fixed) !== fixed;
  return [
    ...findingIf(known?.listed, 'asset.code_taken', 'code'),
    ...findingIf(isOther, 'asset.precision_fixed', 'precision'),
    ...findingIf(isGiven(symbol) && !isOneCharacter(symbol), 'asset.symbol_length', 'symbol'),
    ...validateStartingRates(asset),
  ];
}

function validateStartingRates({ code, rates }: AssetCreate): readonly Finding[] {
  const firstPlaces = new Map<string, number>();
  return (rates ?? []).flatMap(({ source, ...sides }, place) => {
    const field = `rates[${place}].source`;
    const side = `rates[${place}].${sides.rate == null ? 'rate' : 'inverse_rate'}`;
    const firstPlace = firstPlaces.get(source) ?? place;
    firstPlaces.set(source, firstPlace);
    return [
      ...findingIf(!readRate(sides), 'rate.missing', side),
      ...findingIf(!agrees(sides), 'rate.disagrees', side),
      ...validateSource(source, code, field),
      ...findingIf(firstPlace < place, 'rate.source_repeated', field),
    ];
  });
}

/** Checks the source of an asset's rate. @assumes A-401 it is a currency, and another one */
function validateSource(source: string, code: string, field: string): readonly Finding[] {
  if (!findCurrency(source)) return [finding('currency.required', field)];
  return findingIf(source === code, 'rate.own_source', field);
}

/** Whether a text is one visible character; a joined emoji is one. */
const isOneCharacter = (text: string): boolean => [...GRAPHEMES.segment(text)].length === 1;
