import type { OperationSpec } from 'billing-emulator/spec';
import { type ExactValue, textsIn } from '../../kit/exact-json.ts';
import { layers } from '../../kit/layers.ts';
import { schemasOnTheWay } from '../../kit/shape.ts';
import { isInstant } from './id-map.ts';
import type { PairedItems } from './pair-items.ts';

/** Words with which the document specifies the order of a list. */
const ORDER = /\bfirst\b|\border\b/i;

/**
 * Whether the document specifies the order of a list: it does for the items of a page, and for lists whose
 * description mentions an order.
 *
 * @param at such as `['body', 'items']`, with the places of items
 */
export function isOrdered(
  operation: OperationSpec | undefined,
  status: number,
  [place, ...path]: readonly (string | number)[],
): boolean {
  if (place !== 'body') return false;
  const steps = path.map(String);
  const list = schemasOnTheWay(layers().closed, operation?.replies.get(status), steps).at(-1);
  if (list?.['type'] !== 'array') return false;
  return steps.join('.') === 'items' || ORDER.test(`${list['description'] ?? ''}`);
}

/**
 * Whether the items of both sides are in a different order. Items with equal instants can be in any order.
 *
 * @param isPlaceless whether the position of an item of the service is unknown
 */
export function isOtherOrder(
  upstream: readonly ExactValue[],
  emulator: readonly ExactValue[],
  { pairs }: PairedItems,
  isPlaceless: (item: ExactValue) => boolean,
): boolean {
  const places = new Map(emulator.map((item, place) => [item, place]));
  const partners = new Map(pairs);
  let [before, reached, moments] = [-1, -1, ''];
  for (const item of upstream) {
    const place = places.get(partners.get(item) as ExactValue);
    if (place === undefined || isPlaceless(item)) continue;
    const own = [...textsIn(item)].filter(isInstant).join();
    if (own === '' || own !== moments) before = reached;
    if (place < before) return true;
    moments = own;
    reached = Math.max(reached, place);
  }
  return false;
}
