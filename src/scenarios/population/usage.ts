import type { ScenarioStep } from '../scenario.ts';
import { CALL_CENTS, CREDIT_CENTS, IMAGES, MINUTE_CENTS, type Model } from './catalogue.ts';
import type { Chance } from './chance.ts';
import { type Customer, customerNameOf } from './customers.ts';

/** Usage on each weekday in tenths of an average day, from Monday. */
const WEEK = [10, 11, 11, 10, 9, 4, 3] as const;
const HOURS = [
  1, 1, 1, 1, 1, 2, 3, 6, 10, 12, 12, 11, 9, 11, 12, 12, 10, 8, 6, 5, 4, 3, 2, 1,
] as const;

const BATCH = 1_000;
const DAY_SECONDS = 86_400;

interface Usage {
  readonly event_type: string;
  readonly subject: string;
  readonly description: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly vendor: string;
  readonly category: string;
  /** Price for the customer, in millionths of a dollar. */
  readonly micros: number;
}

export interface UsageDay {
  readonly customer: Customer;
  readonly models: readonly Model[];
  readonly day: number;
  /** Counted from Monday, which is 0. */
  readonly weekday: number;
}

/** Reports a customer's usage of one day on the next day. */
export function* usageSteps(chance: Chance, { customer, models, day, weekday }: UsageDay) {
  const noise = chance.whole(50, 150);
  const count = Math.round((customer.pace * (WEEK[weekday] as number) * noise) / 1_000);
  const seconds = Array.from({ length: Math.min(count, BATCH) }, () => drawSecond(chance));
  if (seconds.length === 0) return;
  const events = seconds
    .sort((a, b) => a - b)
    .map((second, index) => {
      const draw = USAGES[chance.pick(customer.products)] ?? completion;
      const usage = draw(chance, `${day}-${Math.floor(index / 3) + 1}`, models);
      return eventOf(chance, usage, customer, second);
    });
  const body = { customer_id: `$${customerNameOf(customer)}.id`, events };
  yield { call: 'submitEvents', body } satisfies ScenarioStep;
}

const drawSecond = (chance: Chance): number =>
  chance.weighted(HOURS) * 3_600 + chance.whole(0, 3_599);

function eventOf(chance: Chance, usage: Usage, { costPercent }: Customer, second: number) {
  const { event_type, subject, description, data, vendor, category, micros } = usage;
  const cost = Math.round((micros * costPercent) / 100);
  return {
    id: chance.uuid(),
    event_type,
    occurred_at: `$today-PT${DAY_SECONDS - second}S`,
    subject,
    description,
    data,
    costs: [{ id: chance.uuid(), vendor_external_id: vendor, amount: cost / 1_000_000, category }],
  };
}

/** The usage of each product. */
const USAGES: Readonly<Record<string, typeof completion>> = {
  chat: completion,
  canvas: image,
  voice: call,
};

function completion(chance: Chance, task: string, models: readonly Model[]): Usage {
  const { name, cents } = models[chance.weighted([60, 30, 10])] as Model;
  const tokens = chance.happens(5) ? chance.whole(100_000, 1_500_000) : chance.whole(2_000, 60_000);
  return {
    event_type: 'llm.completion',
    subject: `chat-${task}`,
    description: `Answer about the ${chance.phrase()}`,
    data: { model: name, tokens },
    vendor: 'inference-cloud',
    category: 'inference',
    // One cent for a million tokens is 0.01 micro-dollars for one token.
    micros: Math.round((tokens * cents) / 100),
  };
}

function image(chance: Chance, task: string): Usage {
  const size = chance.happens(70) ? 'small' : 'large';
  return {
    event_type: 'image.generated',
    subject: `board-${task}`,
    description: `Image of a ${chance.phrase()}`,
    data: { size },
    vendor: 'image-farm',
    category: 'rendering',
    micros: IMAGES[size] * CREDIT_CENTS * 10_000,
  };
}

function call(chance: Chance, task: string): Usage {
  const seconds = chance.whole(15, 900);
  return {
    event_type: 'call.answered',
    subject: `call-${task}`,
    description: `Call about the ${chance.phrase()}`,
    data: { seconds },
    vendor: 'speech-works',
    category: 'speech',
    micros: CALL_CENTS * 10_000 + Math.round((seconds * MINUTE_CENTS * 10_000) / 60),
  };
}
