import { findCurrency } from '../../domain/currencies.ts';
import { CURRENCY_PLACES } from '../../domain/decimal.ts';
import { FIRST_INSTANT } from '../../domain/instant.ts';
import type { AssetRow } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import type { Context } from '../context.ts';

/** An asset available to requests: a created asset, or a currency, which exists without being created. */
export interface KnownAsset extends AssetRow {
  readonly isCurrency: boolean;
  /** Decimal places to which amounts are rounded. @assumes A-304 */
  readonly places: number;
}

/** Finds an asset by its upper-case code; undefined if there is none. @assumes A-401 */
export function findAsset(context: Context, code: string): KnownAsset | undefined {
  const row = findAssetRow(context, code);
  if (!row) return undefined;
  const isCurrency = findCurrency(code) !== undefined;
  return { ...row, isCurrency, places: isCurrency ? CURRENCY_PLACES : row.precision };
}

/**
 * Returns the row of an asset. For a currency without a row, it returns the row that the currency would have, with
 * `seq` 0.
 */
export function findAssetRow({ tables, owner }: Context, code: string): AssetRow | undefined {
  const id = key(owner, code);
  const row = tables.assets.get(id);
  const currency = row ? undefined : findCurrency(code);
  if (!currency) return row;
  return {
    id,
    seq: 0,
    owner,
    code,
    name: currency.name,
    precision: currency.precision,
    label: code,
    listed: false,
    schedules: {},
    created_at: FIRST_INSTANT,
  };
}

/** Decimal places to which amounts in an asset are rounded; undefined if the asset does not exist. @assumes A-304 */
export const findPlaces = ({ tables, owner }: Context, code: string): number | undefined =>
  findCurrency(code) ? CURRENCY_PLACES : tables.assets.get(key(owner, code))?.precision;
