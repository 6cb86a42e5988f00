import { describe, expect, it } from 'vitest';
import { type AnyBody, createTestClient } from '../../testing/client.ts';
import { aUser } from '../../testing/customer.ts';
import { anEvent } from '../../testing/usage.ts';

/** The machine shows the time at which the worlds begin. */
const client = createTestClient({}, { machine: () => Date.parse('2026-01-15T12:00:00Z') });

async function warningsAfter(advance: string | undefined, occurred_at: string): Promise<AnyBody[]> {
  const user = await aUser(client);
  if (advance) await user.advance(advance);
  const event = anEvent({ occurred_at });
  await user.submit(event);
  expect((await user.event(event.id)).fees).toHaveLength(1);
  return (await client.control('listWarnings', { key: user.key }, 200)).items;
}

describe('usage dated before the latest advance', () => {
  it('is billed, with a warning, if it is near the time of the machine', async () => {
    expect(await warningsAfter('P1D', '2026-01-15T12:05:00Z')).toMatchObject([
      {
        kind: 'usage_before_advance',
        level: 'warning',
        field: 'occurred_at',
        message: expect.stringContaining(
          'The clock was advanced by P1D; this usage of Acme (cust_',
        ),
      },
    ]);
  });

  it.each([
    ['farther from the time of the machine', 'P1D', '2026-01-15T12:05:01Z'],
    ['after an advance to near the time of the machine', 'PT5M', '2026-01-15T12:00:00Z'],
    ['without an advance', undefined, '2026-01-15T12:00:00Z'],
  ])('is billed without a warning %s', async (_, advance, occurred_at) => {
    expect(await warningsAfter(advance, occurred_at)).toEqual([]);
  });
});
