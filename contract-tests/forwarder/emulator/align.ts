import type { OperationSpec } from 'billing-emulator/spec';
import {
  type ExactObject,
  type ExactValue,
  isList,
  isObject,
  isText,
} from '../../kit/exact-json.ts';
import type { IdMap, IdPair } from './id-map.ts';
import { isOrdered, isOtherOrder } from './list-order.ts';
import { matchTexts } from './match-texts.ts';
import { isOfReceivers } from './not-compared.ts';
import { pairItems } from './pair-items.ts';

export interface AlignOptions {
  /** The known ids, which learn what the bodies show. */
  readonly ids: IdMap;
  readonly operation: OperationSpec | undefined;
  readonly status: number;
  readonly query: URLSearchParams;
  /** Whether the position of an item of the service is unknown, because writes ran in parallel. */
  readonly isPlaceless: (item: ExactValue) => boolean;
}

/** A list whose items stand in another order on the other side. */
export interface OtherOrder {
  readonly at: readonly (string | number)[];
  readonly upstream: ExactValue;
  readonly emulator: ExactValue;
}

/** Puts each part of the emulator's body where its counterpart stands in the service's. */
export class Alignment {
  readonly learned: IdPair[] = [];
  readonly orders: OtherOrder[] = [];

  constructor(private readonly options: AlignOptions) {}

  /**
   * The emulator's value with the items of its lists in the places of their counterparts: undefined for those that it lacks,
   * and at the end those that only it has.
   */
  align(
    upstream: ExactValue | undefined,
    emulator: ExactValue | undefined,
    at: OtherOrder['at'],
  ): ExactValue | undefined {
    if (isList(upstream) && isList(emulator)) return this.#list(upstream, emulator, at);
    if (isObject(upstream) && isObject(emulator)) return this.#object(upstream, emulator, at);
    if (isText(upstream) && isText(emulator)) {
      const { ids } = this.options;
      const { learned } = matchTexts(upstream, emulator, ids);
      this.learned.push(...learned);
      ids.learn(learned);
    }
    return emulator;
  }

  #list(upstream: readonly ExactValue[], emulator: readonly ExactValue[], at: OtherOrder['at']) {
    const { ids, operation, status, isPlaceless } = this.options;
    const paired = pairItems(
      ...([upstream, emulator, ids] as const),
      (field) => !isOfReceivers(this.options, [...at, '*', field]),
    );
    if (isOrdered(operation, status, at) && isOtherOrder(upstream, emulator, paired, isPlaceless))
      this.orders.push({ at, upstream, emulator });
    const partners = new Map(paired.pairs);
    const items = upstream.map((item, index) =>
      this.align(item, partners.get(item), [...at, index]),
    );
    return [...items, ...paired.extra] as ExactValue;
  }

  #object(upstream: ExactObject, emulator: ExactObject, at: OtherOrder['at']): ExactValue {
    const aligned: Record<string, ExactValue> = { ...emulator };
    // Scalars first, because they can identify what the other fields contain.
    const names = Object.keys(emulator).filter((name) => name in upstream);
    const isInner = (name: string) => isList(emulator[name]) || isObject(emulator[name]);
    for (const name of [...names.filter((name) => !isInner(name)), ...names.filter(isInner)])
      aligned[name] = this.align(upstream[name], emulator[name], [...at, name]) as ExactValue;
    return aligned;
  }
}
