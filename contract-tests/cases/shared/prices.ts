import {
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  api,
  aUsageEvent,
  expect,
  lexeme,
  unique,
  usageEvent,
} from '../../kit/index.ts';
import { price, type Stored, stored, submit } from './events.ts';
import { subscribe, to } from './subscriptions.ts';

/** Tiers: 1 per token up to 100 tokens, 0.5 per token after that. */
export const ROWS = [{ up_to: 100, volume_rate: 1 }, { volume_rate: 0.5 }];

/** Prices of a pricing model, by volume of tokens by default. */
export const priced =
  (
    pricing_model: string,
    tiering: object | undefined,
    values: readonly object[],
    usage_type = 'volume',
  ) =>
  (eventType: string): object[] => [
    { ...price(eventType, usage_type, [...values]), pricing_model, ...(tiering && { tiering }) },
  ];

/** One price, and what events of one customer cost by it. */
export interface Worked {
  readonly model: string;
  readonly basis?: string;
  /** By volume of tokens by default. */
  readonly usage?: string;
  readonly rows: readonly object[];
  /** Prices are in a new asset with as many decimals, in USD by default. */
  readonly decimals?: number;
  /** The tokens of each event. */
  readonly tokens: readonly number[];
  /** Their fees, between spaces. */
  readonly fees: string;
}

/** Simulates the events, then sends the first of them and the others, and compares each fee. */
export async function expectFees({ model, basis, usage, rows, decimals, ...worked }: Worked) {
  const eventType = `contract.${unique('use')}`;
  const asset = decimals === undefined ? 'USD' : (await aFreshAsset({ precision: decimals })).code;
  const [made] = priced(model, basis === undefined ? undefined : { basis }, [], usage)(eventType);
  const prices = [{ ...made, pricing: [{ asset, values: rows }] }];
  const [product, customer] = [await aFreshProduct({ prices }), await aFreshCustomer()];
  const events = worked.tokens.map((tokens) => usageEvent(eventType, { data: { tokens } }));
  const path = { productId: product.id, version: 'default' };
  const { fees } = await api('simulateUsage', { path, body: { events } as never }, 200);
  const amounts = (shown: readonly { readonly amount: number }[]) =>
    shown.map((fee) => lexeme(fee, 'amount')).join(' ');

  expect(amounts(fees), 'fees simulated').toBe(worked.fees);
  await subscribe(customer, to(product));
  for (const batch of [events.slice(0, 1), events.slice(1)])
    if (batch.length > 0) await submit(customer, ...batch);
  const billed = [];
  for (const { id } of events) billed.push(...(await stored(id)).fees);
  expect(amounts(billed), 'fees billed').toBe(worked.fees);
}

/** The fees of one event of a customer, as it is read by id. */
export async function feesOf(
  { customer, eventType }: { readonly customer: { id: string }; readonly eventType: string },
  data: object,
  more: object = {},
): Promise<Stored['fees']> {
  const { id } = await aUsageEvent(customer as never, eventType, { data, ...more });
  return (await stored(id)).fees;
}
