import {
  type ExactObject,
  type ExactValue,
  isList,
  isObject,
  isText,
} from '../../kit/exact-json.ts';
import { type IdMap, type IdPair, matchTexts } from './id-map.ts';
import { pairItems } from './pair-items.ts';

/** Puts each part of the emulator's body where its counterpart stands in the service's. */
export class Alignment {
  readonly learned: IdPair[] = [];

  /**
   * @param ids the known ids, which learn what the bodies show
   * @param isCompared whether a field of an item of a list is compared; others do not count when items are paired
   */
  constructor(
    private readonly ids: IdMap,
    private readonly isCompared: (field: string) => boolean,
  ) {}

  /**
   * The emulator's value with the items of its lists in the places of their counterparts: undefined for those that it lacks,
   * and at the end those that only it has.
   */
  align(
    upstream: ExactValue | undefined,
    emulator: ExactValue | undefined,
  ): ExactValue | undefined {
    if (isList(upstream) && isList(emulator)) return this.#list(upstream, emulator);
    if (isObject(upstream) && isObject(emulator)) return this.#object(upstream, emulator);
    if (isText(upstream) && isText(emulator)) {
      const { learned } = matchTexts(upstream, emulator, this.ids);
      this.learned.push(...learned);
      this.ids.learn(learned);
    }
    return emulator;
  }

  #list(upstream: readonly ExactValue[], emulator: readonly ExactValue[]): ExactValue {
    const { pairs, extra } = pairItems(upstream, emulator, this.ids, this.isCompared);
    const partners = new Map(pairs);
    const items = upstream.map((item) => this.align(item, partners.get(item)));
    return [...items, ...extra] as ExactValue;
  }

  #object(upstream: ExactObject, emulator: ExactObject): ExactValue {
    const aligned: Record<string, ExactValue> = { ...emulator };
    // Scalars first, because they can identify what the other fields contain.
    const names = Object.keys(emulator).filter((name) => name in upstream);
    const isInner = (name: string) => isList(emulator[name]) || isObject(emulator[name]);
    for (const name of [...names.filter((name) => !isInner(name)), ...names.filter(isInner)])
      aligned[name] = this.align(upstream[name], emulator[name]) as ExactValue;
    return aligned;
  }
}
