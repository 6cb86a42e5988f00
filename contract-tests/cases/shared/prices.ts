import { aUsageEvent } from '../../kit/index.ts';
import { price, type Stored, stored } from './events.ts';

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

/** The fees of one event of a customer, as it is read by id. */
export async function feesOf(
  { customer, eventType }: { readonly customer: { id: string }; readonly eventType: string },
  data: object,
  more: object = {},
): Promise<Stored['fees']> {
  const { id } = await aUsageEvent(customer as never, eventType, { data, ...more });
  return (await stored(id)).fees;
}
