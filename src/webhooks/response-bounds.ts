import { rowsOf } from '../store/query/rows-of.ts';
import type { DeliveryExchange, DeliveryRow } from '../store/records.ts';
import type { Tables } from '../store/schema.ts';

/** Maximum length of a response that is read. @units bytes */
export const RESPONSE_LIMIT = 65_536;

/** Number of an account's latest deliveries that keep complete responses. */
const KEPT_WHOLE = 1_000;

/** Length of a response in older deliveries. @units characters */
const KEPT_SHORT = 1_024;

/**
 * Limits the memory for responses of receivers. Each recorded delivery shortens the responses of the one 1000
 * places before it, and its own if it is older.
 */
export function shortenOldResponses(tables: Tables, { id, owner, seq }: DeliveryRow): void {
  const deliveries = rowsOf(tables.deliveries, { owner });
  const edge = deliveries[deliveries.length - 1 - KEPT_WHOLE];
  if (!edge) return;
  shorten(tables, edge.id);
  if (seq < edge.seq) shorten(tables, id);
}

function shorten(tables: Tables, id: string): void {
  const delivery = tables.deliveries.get(id);
  if (!delivery?.exchanges.some(isLong)) return;
  tables.deliveries.put({ ...delivery, exchanges: delivery.exchanges.map(shortened) });
}

const isLong = ({ response }: DeliveryExchange): boolean =>
  response !== null && response.body.length > KEPT_SHORT;

function shortened(exchange: DeliveryExchange): DeliveryExchange {
  const { response } = exchange;
  if (response === null || !isLong(exchange)) return exchange;
  const body = response.body.slice(0, KEPT_SHORT);
  return { ...exchange, response: { ...response, body, truncated: true } };
}
