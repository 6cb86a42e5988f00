import { amount, aUsageEvent } from '../../kit/index.ts';
import { type aPayer, price, type Stored, stored } from './events.ts';

/** Tiers: 1 per token up to 100 tokens, 0.5 per token after that. */
export const ROWS = [{ up_to: 100, volume_rate: 1 }, { volume_rate: 0.5 }];

/** Prices of a pricing model, by volume of tokens by default. */
export const priced =
  (pricing_model: string, tiering: object | undefined, values: object[], usage_type = 'volume') =>
  (eventType: string): object[] => [
    { ...price(eventType, usage_type, values), pricing_model, ...(tiering && { tiering }) },
  ];

type Payer = Pick<Awaited<ReturnType<typeof aPayer>>, 'customer' | 'eventType'>;

export async function feesOf(
  { customer, eventType }: Payer,
  data: object,
): Promise<Stored['fees']> {
  return (await stored((await aUsageEvent(customer, eventType, { data })).id)).fees;
}

/** Submits events with these numbers of tokens, one after the other. Returns the amounts of their fees. */
export async function costs(payer: Payer, ...tokens: readonly number[]): Promise<string[]> {
  const amounts: string[] = [];
  for (const count of tokens)
    for (const fee of await feesOf(payer, { tokens: count }))
      amounts.push(String(amount(fee, 'amount')));
  return amounts;
}
