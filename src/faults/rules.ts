import { omitNullish } from '../domain/fields.ts';
import { toMillis } from '../domain/instant.ts';
import type { World } from '../store/world.ts';
import type { WorldLocal } from '../store/world-local.ts';
import { type FaultRule, readPeriod } from './rule.ts';
import { Waits } from './waits.ts';

/** A rule with its counts since it was set. */
export interface FaultRuleState {
  readonly rule: FaultRule;
  /** How many requests or deliveries it matched, without those to which an earlier rule was applied. */
  readonly seen: number;
  readonly applied: number;
}

/** A rule that is applied to a request or a delivery. */
export interface MatchedRule {
  readonly rule: FaultRule;
  /** Its position among the rules, from 1. */
  readonly position: number;
  /** When the limit allows another request. @units whole seconds */
  readonly retryAfter?: number;
}

/**
 * The fault rules of one world, with their counts.
 *
 * @assumes A-1410, A-1411
 */
export class FaultRules {
  readonly waits = new Waits();
  #rules: LiveRule[] = [];

  constructor(private readonly world: World) {}

  get size(): number {
    return this.#rules.length;
  }

  list(): readonly FaultRuleState[] {
    return this.#rules.map(({ rule, seen, applied }) => ({ rule, seen, applied }));
  }

  /** Replaces all rules by rules that are already validated. Delayed requests continue. */
  set(rules: readonly FaultRule[]): void {
    this.#rules = rules.map((rule) => liveRule(rule));
    this.waits.release();
  }

  /** Adds a rule after the others; their counts continue. */
  add(rule: FaultRule): void {
    this.#rules.push(liveRule(rule));
  }

  /** Adopts the rules and counts of another world. */
  adopt(other: FaultRules): void {
    this.#rules = other.#rules;
  }

  /** Removes all rules and ends delayed requests without a response. */
  drop(): void {
    this.#rules = [];
    this.waits.drop();
  }

  /**
   * Returns the first rule that matches and applies; undefined if there is none. Its counts are rolled back with the
   * commit.
   */
  match(fits: (rule: FaultRule) => boolean): MatchedRule | undefined {
    for (const [index, live] of this.#rules.entries()) {
      if (!fits(live.rule)) continue;
      const { seen, applied } = live;
      this.world.onUndo(() => Object.assign(live, { seen, applied }));
      live.seen += 1;
      const matched = this.#apply(live, index + 1);
      if (matched) return matched;
    }
    return undefined;
  }

  #apply(live: LiveRule, position: number): MatchedRule | undefined {
    const { rule } = live;
    const { skip = 0, times = Number.POSITIVE_INFINITY } = rule;
    if (live.seen <= skip || live.applied >= times) return undefined;
    const retryAfter = live.limit?.refuse(this.#time(rule));
    if (live.limit && retryAfter === undefined) return undefined;
    live.applied += 1;
    return { rule, position, ...omitNullish({ retryAfter }) };
  }

  #time({ rate_limit }: FaultRule): number {
    const { clock } = this.world;
    return rate_limit?.clock === 'world' ? toMillis(clock.now()) : clock.machine();
  }
}

interface LiveRule {
  readonly rule: FaultRule;
  readonly limit: Limiter | undefined;
  seen: number;
  applied: number;
}

function liveRule(rule: FaultRule): LiveRule {
  const { rate_limit } = rule;
  const limit = rate_limit && new Limiter(rate_limit.limit, readPeriod(rate_limit.period) ?? 1);
  return { rule, limit, seen: 0, applied: 0 };
}

/** Allows a number of requests per period. A period starts with the first request after the previous period. */
class Limiter {
  #begun = Number.NEGATIVE_INFINITY;
  #passed = 0;

  constructor(
    private readonly limit: number,
    private readonly period: number,
  ) {}

  /** Counts a request that passes and returns undefined; otherwise returns the seconds until the next one passes. */
  refuse(now: number): number | undefined {
    const isOver = now >= this.#begun + this.period || now < this.#begun;
    if (isOver) {
      this.#begun = now;
      this.#passed = 0;
    }
    if (this.#passed >= this.limit)
      return Math.max(1, Math.ceil((this.#begun + this.period - now) / 1_000));
    this.#passed += 1;
    return undefined;
  }
}

const LOCAL: WorldLocal<FaultRules> = {
  name: 'fault rules',
  open: (world) => new FaultRules(world),
  clear: (rules) => rules.drop(),
  adopt: (rules, others) => rules.adopt(others),
  close: (rules) => rules.drop(),
};

/** The fault rules of a world. A reset removes them; they are not part of stored data. */
export const faultRulesOf = (world: World): FaultRules => world.local(LOCAL);
