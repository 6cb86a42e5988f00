import { call, check, describe, eventually, expect, lexeme, now, uuid } from '../kit/index.ts';
import { aPayer, price, stored } from './shared/events.ts';
import { priced, ROWS } from './shared/prices.ts';

const _BY_VOLUME = priced('tiered', { basis: 'volume' }, ROWS);
const _BY_EVENT = priced(
  'tiered',
  { basis: 'unit' },
  [{ up_to: 1, unit_price: 7 }, { unit_price: 3 }],
  'unit',
);

/** Waits until the service's time has moved on. */
async function _nextMoment(): Promise<void> {
  const before = now();
  await eventually(
    async () => now(),
    (moment) => moment > before,
  );
}

describe('terms that change', () => {});

describe('numbers of an event', () => {
  check(
    'EVT-108',
    {
      requirement: ['R-EVT-10', 'R-CONV-27'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: 'A-303',
    },
    'numbers in data with more digits than a double holds → kept digit by digit, billed and shown as sent',
    async () => {
      const payer = await aPayer((eventType) => [price(eventType, 'volume', [{ volume_rate: 2 }])]);
      const amounts = {
        '99999999999999.99999': '199999999999999.99998',
        '0.1000000000000000055': '0.2',
        '123456789012345.678901': '246913578024691.357802',
      };
      for (const [tokens, amount] of Object.entries(amounts)) {
        const id = uuid();
        const event = { id, event_type: payer.eventType, occurred_at: now(), data: { tokens: 0 } };
        const body = JSON.stringify({ customer_id: payer.customer.id, events: [event] });
        const raw = body.replace('"tokens":0', `"tokens":${tokens}`);
        await call('submitEvents', { raw }, [204]);
        const { data, fees } = await stored(id);

        expect(lexeme(data as { tokens: number }, 'tokens'), 'data.tokens').toBe(tokens);
        const [fee] = fees as [(typeof fees)[number]];
        expect(lexeme(fee, 'input_volume'), 'fees[0].input_volume').toBe(tokens);
        expect(lexeme(fee, 'amount'), 'fees[0].amount').toBe(amount);
      }
    },
  );
});
