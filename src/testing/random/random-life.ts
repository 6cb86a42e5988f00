import fc from 'fast-check';
import { after } from '../../domain/instant.ts';
import type { Emulator } from '../../emulator.ts';
import type { Context } from '../../resources/context.ts';
import { setAutoTopUpRule } from '../../resources/payments/auto-top-ups.ts';
import { completePayment, type PaymentOutcome } from '../../resources/payments/payments.ts';
import { key } from '../../state/schema.ts';
import type { World } from '../../state/world.ts';
import { EVERY_DAY, EVERY_MONTH, entitlement, fixedPrice, ONE_MONTH, URLS } from '../catalog.ts';
import type { AnyBody } from '../client.ts';
import { nextUuid, usagePrice } from '../usage.ts';

/** For tests of laws: what customers do at random, sent through the pipeline without a socket. */
export interface LifeAction {
  readonly kind: keyof typeof DEEDS;
  /** From which everything about it is chosen, so that it can be made smaller. */
  readonly dice: Dice;
}

type Dice = readonly [number, number, number];
type Parts = Readonly<Record<string, unknown>>;

/** A world with a catalogue. */
export interface Life {
  readonly emulator: Emulator;
  readonly world: World;
  send(call: string, parts: Parts): AnyBody;
}

const perCall = usagePrice({ asset: 'CREDIT', values: [{ unit_price: 7 }] });
const TWO_WEEKS = { ...EVERY_DAY.lifecycle, duration: 'week', duration_count: 2 };
const MORE_THAN_THE_FEE = { purpose: 'bundled', accounting: { revenue_basis: 0.1 } };
const VALUED = { purpose: 'bundled', accounting: { revenue_basis: 0.01 } };

/** Fixed fees and credit of every rhythm. The second version of each gives other credit. */
const PLANS: readonly object[] = [
  { prices: [perCall], entitlements: [entitlement(50, EVERY_DAY)] },
  { prices: [fixedPrice(20)], entitlements: [entitlement(1000, { ...VALUED, ...EVERY_MONTH })] },
  {
    prices: [fixedPrice(5, 'week'), perCall],
    entitlements: [
      entitlement(80, { ...MORE_THAN_THE_FEE, lifecycle: TWO_WEEKS }),
      entitlement(300, { name: 'Welcome', ...ONE_MONTH }),
    ],
  },
  { prices: [perCall], entitlements: [entitlement(9, { name: 'Forever' })] },
];
const SECOND = { entitlements: [entitlement(444, EVERY_MONTH)], publish: true };

/** Opens a world with a catalogue under a key. */
export function openLife(emulator: Emulator, key: string): Life {
  const world = emulator.worlds.find(key) as World;
  const target = emulator.targetOf(world);
  const send = (call: string, parts: Parts): AnyBody => {
    const reply = target.send({ call, ...parts }) as { status: number; body: AnyBody };
    if (reply.status >= 500) throw new Error(`${call}: ${JSON.stringify(reply.body)}`);
    return reply.body ?? {};
  };
  const rates = [{ source: 'USD', rate: 0.05 }];
  send('createAsset', { body: { code: 'CREDIT', name: 'Credits', rates } });
  for (const [place, content] of PLANS.entries()) {
    const product = { name: `Plan ${place}`, code: `plan${place}`, publish: true };
    const { id } = send('createProduct', { body: { ...product, ...content } });
    send('createProductVersion', { path: { productId: id }, body: SECOND });
  }
  return { emulator, world, send };
}

/** One customer, with what there is to act on. What is refused is as if it had not been tried. */
export class Person {
  readonly id: string;
  readonly subscriptions: string[] = [];
  readonly topUps: string[] = [];

  constructor(
    readonly life: Life,
    name: string,
  ) {
    this.id = life.send('createCustomer', { body: { name } }).id;
  }

  act({ kind, dice }: LifeAction): void {
    DEEDS[kind](this, dice);
  }

  later(days: number): string {
    return after(this.life.world.now, `${days}d`);
  }

  settle(id: string | undefined, outcome: PaymentOutcome): void {
    if (id !== undefined) this.commit((context) => completePayment(context, id, outcome));
  }

  /** Does what no operation of the service does. */
  commit(work: (context: Context) => unknown): void {
    const { emulator, world } = this.life;
    const { accountId: owner, tables, now } = world;
    const context = { world, tables, owner, now, settings: emulator.settings, baseUrl: '' };
    try {
      world.commit(() => work(context));
    } catch (error) {
      if ((error as Error).name !== 'RuleViolation') throw error;
    }
  }

  update(id: string | undefined, body: object): void {
    const path = { customerId: this.id, subscriptionId: id };
    if (id !== undefined) this.life.send('updateSubscription', { path, body });
  }
}

const DEEDS = {
  subscribe(person: Person, [a, b, c]: Dice) {
    const body = {
      products: [{ code: `plan${a % PLANS.length}`, version: 1 + (c % 2) }],
      ...URLS,
      ...(b % 3 === 0 && { starts_at: person.later(b % 40) }),
      ...(c % 4 === 0 && { renews_at: person.later(45 + (c % 40)) }),
    };
    const parts = { path: { customerId: person.id }, body };
    const { id } = person.life.send('createSubscription', parts);
    if (id !== undefined) person.subscriptions.push(id);
  },
  settle: (person: Person, [a, b, c]: Dice) =>
    person.settle(pick(person.subscriptions, a), outcomeOf(b, c)),
  stop: (person: Person, [a]: Dice) =>
    person.update(pick(person.subscriptions, a), { status: 'inactive' }),
  resume: (person: Person, [a]: Dice) =>
    person.update(pick(person.subscriptions, a), { status: 'active' }),
  renew: (person: Person, [a, b]: Dice) =>
    person.update(pick(person.subscriptions, a), {
      renews_at: b % 3 === 0 ? null : person.later(1 + (b % 60)),
    }),
  change(person: Person, [a, b, c]: Dice) {
    const subscriptionId = pick(person.subscriptions, a);
    if (subscriptionId === undefined) return;
    const productId = `plan${b % PLANS.length}`;
    const path = { customerId: person.id, subscriptionId, productId };
    person.life.send('updateSubscriptionProduct', { path, body: { version: 1 + (c % 2) } });
  },
  adjust(person: Person, [a, b, c]: Dice) {
    const reasons = ['external_topup', 'external_refund', 'gift', 'other'];
    const body = {
      transaction_id: nextUuid(),
      asset: 'CREDIT',
      amount: (a % 700) - 200,
      reason: reasons[b % reasons.length],
      ...(c % 2 === 0 && { expires_at: person.later(1 + (c % 90)) }),
    };
    person.life.send('adjustWallet', { path: { customerId: person.id }, body });
  },
  charge(person: Person, [a]: Dice) {
    const body = { transaction_id: nextUuid(), asset: 'CREDIT', amount: a % 500 };
    person.life.send('chargeWallet', { path: { customerId: person.id }, body });
  },
  use(person: Person, [a]: Dice) {
    const occurred_at = person.life.world.now;
    const event = () => ({ id: nextUuid(), event_type: 'call', occurred_at });
    const events = Array.from({ length: 1 + (a % 5) }, event);
    person.life.send('submitEvents', { body: { customer_id: person.id, events } });
  },
  topUp(person: Person, [a, b]: Dice) {
    const buys = { amount: 1 + (a % 100), currency: 'USD', customer_id: person.id };
    const ends = b % 2 === 0 && { credit_expires_at: person.later(1 + (b % 100)) };
    const { id } = person.life.send('createTopUp', { body: { ...buys, ...URLS, ...ends } });
    person.topUps.push(id);
  },
  topUpAutomatically: (person: Person, [a, b]: Dice) =>
    person.commit((context) => {
      const account = context.tables.wallet_accounts.get(key(person.id, 'default:CREDIT'));
      const terms = {
        threshold: `${a % 300}`,
        amount: `${1 + (b % 20)}`,
        currency: 'USD',
        ...URLS,
      };
      if (account) setAutoTopUpRule(context, account, terms);
    }),
  settleTopUp: (person: Person, [a, b, c]: Dice) =>
    person.settle(pick(person.topUps, a), outcomeOf(b, c)),
};

export const aLifeAction: fc.Arbitrary<LifeAction> = fc.record({
  kind: fc.constantFrom(...(Object.keys(DEEDS) as LifeAction['kind'][])),
  dice: fc.tuple(fc.nat(9_999), fc.nat(9_999), fc.nat(9_999)),
});

function outcomeOf(b: number, c: number): PaymentOutcome {
  const outcomes = ['succeeded', 'succeeded', 'processing', 'failed', 'abandoned'] as const;
  const outcome = outcomes[b % outcomes.length] ?? 'succeeded';
  if (outcome === 'failed' || outcome === 'abandoned') return { outcome };
  return { outcome, method: { kind: 'card', last4: '4242', declines_later: c % 3 === 0 } };
}

function pick<T>(list: readonly T[], dice: number): T | undefined {
  return list[dice % Math.max(1, list.length)];
}
