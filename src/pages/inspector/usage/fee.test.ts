import { expect, it } from 'vitest';
import { anEvent, type PriceSketch } from '../../../testing/catalog.ts';
import { createTestClient } from '../../../testing/client.ts';
import { aUser } from '../../../testing/story.ts';

const client = createTestClient();

const TIERS = {
  pricing_model: 'tiered',
  tiering: { basis: 'volume', period: 'monthly' },
  usage_type: 'unit_and_volume',
  volume_field: 'seconds',
  values: [
    { name: 'First', up_to: 100, unit_price: 0.25, volume_rate: 1 },
    { name: 'Then', unit_price: 0.2, volume_rate: 0.5 },
  ],
};
const PACKAGES = {
  pricing_model: 'package',
  tiering: { period: 'monthly' },
  usage_type: 'volume',
  volume_field: 'seconds',
  values: [{ volume_rate: 3, package_size: 10 }],
};
const BOUNDED = { values: [{ unit_price: 0.5, min_amount: 2 }] };
const ROUNDED = {
  usage_type: 'volume',
  volume_field: 'seconds',
  values: [{ volume_rate: 1, package_size: 3 }],
};

it.each<[string, PriceSketch, object, string]>([
  [
    'tiers',
    TIERS,
    { seconds: 120 },
    'seconds 100 × First $1.00 + seconds 20 × Then $0.50 + Then, per unit $0.20 = fee, exact $110.20',
  ],
  [
    'packages',
    PACKAGES,
    { seconds: 25 },
    'packages 3 × rate, per package $3.00 = fee, exact $9.00',
  ],
  ['a minimum', BOUNDED, {}, 'rate, per unit $0.50 raised to minimum $2.00 = fee, exact $2.00'],
  [
    'a rounded quotient',
    ROUNDED,
    { seconds: 1 },
    'seconds 1 × rate $1.00 ÷ per 3 ≈ fee, rounded $0.3333333333',
  ],
])('the page of an event names each number of its formula: %s', async (_, price, data, formula) => {
  const user = await aUser(client, { prices: [price] });
  const event = anEvent({ data });
  await user.submit(event);

  const { text } = await client.http.get(`/_emulator/ui/events/${event.id}?key=${user.key}`);

  const [, sum = ''] =
    /<div class="sum" role="group" aria-label="Formula">(.*?)<\/div>/s.exec(text) ?? [];
  // An amount has its digits twice: for eyes and for screen readers.
  const seen = sum.replaceAll(/<span aria-hidden="true">.*?<\/span><\/span>/g, '');
  const words = seen
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  expect(words).toBe(formula);
});

it('the table of what paid a fee has the grants drawn and the account', async () => {
  const client = createTestClient();
  const user = await aUser(client, { prices: [{ values: [{ unit_price: 4 }] }] });
  for (const amount of [3, 2, 2, 2]) await user.credit('USD', amount);
  const sent = anEvent({});
  await user.submit(sent);
  const { text } = await client.http.get(`/_emulator/ui/events/${sent.id}?key=${user.key}`);
  const table = text.slice(text.indexOf('aria-label="What paid"'));

  expect(table.slice(0, table.indexOf('</table>')).match(/<tr/g)).toHaveLength(1 + 2 + 1);
});
