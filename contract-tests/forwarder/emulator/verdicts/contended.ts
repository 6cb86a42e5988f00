import { type ExactValue, textsIn } from '../../../kit/exact-json.ts';
import { identifiersIn } from '../compare.ts';
import type { TwinExchange } from '../exchange.ts';
import { isInstant } from '../id-map.ts';
import { TIME_TOLERANCE } from '../match-texts.ts';

/** Objects that parallel writes of one world changed, so that the order of the writes is unknown. */
export class Contended {
  readonly #names = new Set<string>();
  /** By world: the seconds near the times of such writes. */
  readonly #seconds = new Map<string, Set<number>>();

  /** @param at the service's time of the write, in milliseconds since 1970 */
  add({ world, names, answer }: TwinExchange, at: number): void {
    for (const name of [...names, ...identifiersIn(answer?.body)]) this.#names.add(name);
    const seconds = this.#seconds.get(world) ?? new Set();
    this.#seconds.set(world, seconds);
    const [first, last] = [at - TIME_TOLERANCE, at + TIME_TOLERANCE].map(secondOf);
    for (let second = first as number; second <= (last as number); second += 1) seconds.add(second);
  }

  /** Whether such a write can have created or changed an item. */
  has(world: string, item: ExactValue): boolean {
    const seconds = this.#seconds.get(world);
    if (!seconds) return false;
    return [...textsIn(item)].some(
      (text) =>
        this.#names.has(text) || (isInstant(text) && seconds.has(secondOf(Date.parse(text)))),
    );
  }
}

const secondOf = (moment: number): number => Math.floor(moment / 1_000);
