import type { Instant } from '../../domain/instant.ts';
import { type CountKind, countKindOf } from '../../domain/pricing/quantity.ts';
import type { CustomerRow } from '../../store/records.ts';
import type { Context } from '../context.ts';
import { type OfferedPrice, type PriceList, pricesOfCustomer } from './usage-prices.ts';

/** Since when a price counts a customer's usage as it does; undefined if it always did. */
export type CountStart = (price: OfferedPrice, at: Instant) => Instant | undefined;

/**
 * Finds when the versions that billed a customer last changed the basis or the period of a price. A version without
 * the price changes neither.
 *
 * @assumes A-1501
 */
export function countStartsOf(context: Context, customer: CustomerRow | undefined): CountStart {
  const changes = customer ? changesOf(context, customer) : [];
  // With one version there is nothing to change.
  if (!customer || changes.length < 2) return () => undefined;
  const pricesAt = pricesOfCustomer(context, customer);
  const known = new Map<string, Instant | undefined>();
  return (price, at) => {
    const last = changes.findLastIndex((change) => change <= at);
    const id = `${price.price_id} ${last}`;
    if (!known.has(id)) known.set(id, lastChange(price, changes.slice(0, last + 1), pricesAt));
    return known.get(id);
  };
}

/** The instants at which the customer's versions changed, earliest first. */
function changesOf({ tables }: Context, { id }: CustomerRow): Instant[] {
  const holdings = tables.subscriptions.list('started', id).flatMap(({ history }) => history);
  const ends = holdings.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]));
  return [...new Set(ends)].sort();
}

function lastChange(
  price: OfferedPrice,
  changes: readonly Instant[],
  pricesAt: (at: Instant) => PriceList,
): Instant | undefined {
  const wanted = countKindOf(price);
  let since: Instant | undefined;
  for (const change of changes.toReversed()) {
    const kinds = kindsAt(pricesAt(change), price);
    if (kinds.length === 0) continue;
    if (!kinds.some((kind) => isSame(kind, wanted))) return since ?? change;
    since = change;
  }
  return undefined;
}

/** How the versions in force count the price of that name; empty if they do not. */
const kindsAt = ({ offers }: PriceList, { product_id, price_name }: OfferedPrice): CountKind[] =>
  offers
    .flatMap((offer) => [...offer.values()].flat())
    .filter((other) => other.product_id === product_id && other.price_name === price_name)
    .map(countKindOf)
    .filter((kind) => kind !== undefined);

const isSame = (kind: CountKind, other: CountKind | undefined): boolean =>
  kind.basis === other?.basis && kind.period === other.period;
