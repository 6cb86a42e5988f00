import { expect } from 'vitest';
import { anEvent } from './catalog.ts';
import type { AnyBody, TestClient } from './client.ts';
import { aUser, type UsageSetup } from './customer.ts';

/** For tests: a customer whose events are returned with their explanations. */
export async function anExplainedUser(client: TestClient, setup: UsageSetup) {
  const user = await aUser(client, setup);
  const { key } = user;
  const again = (eventId: string): Promise<AnyBody> =>
    client.control('explain', { key, path: { id: eventId } }, 200);
  return {
    ...user,
    again,
    /** Submits one event and returns its explanation. */
    async explained(given: object = {}): Promise<AnyBody> {
      const event = anEvent(given);
      await user.submit(event);
      return again(event.id);
    },
  };
}

export const MODEL_TOKENS = {
  name: 'Tokens',
  event_type: 'call',
  usage_type: 'volume',
  volume_field: 'tokens',
  billable_dimensions: ['model'],
  values: [
    { name: 'Large', dimensions: { model: 'large' }, volume_rate: 10, package_size: 1_000_000 },
    { name: 'Other', dimensions: { model: '*' }, volume_rate: 2, package_size: 1_000_000 },
  ],
};

/** Reads an explanation as plain text. */
export async function readExplanation(
  { http }: TestClient,
  key: string,
  path: string,
): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, Accept: 'text/plain' };
  const response = await http.get(`/_emulator/explain/${path}`).set(headers);
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
  return response.text;
}
