import { beforeEach, expect } from 'vitest';
import type { OperationId } from '../../spec/operations.ts';
import { createTestClient, type TestClient } from '../client.ts';

export const DATA = { user_id: 'user_7', nested: { status: ['active', 1, null] } };

/** Headers or path parameters, by name. */
export type Names = Readonly<Record<string, string>>;

/** For tests: before each, a new emulator, and calls about test events. */
export function openTestDispatches() {
  let client: TestClient;
  beforeEach(() => {
    client = createTestClient();
  });

  async function register(body: object = {}, headers: Names = {}): Promise<string> {
    const given = { url: 'http://127.0.0.1:9/hook', ...body };
    return (await client.api('createWebhook', { body: given, headers }, 201)).id;
  }

  async function connect(): Promise<Names & { 'X-Service-Account': string }> {
    const { id } = await client.api('createConnectedAccount', { body: { name: 'Branch' } }, 201);
    return { 'X-Service-Account': id };
  }

  async function disable(webhookId: string): Promise<void> {
    await client.api('updateWebhook', { path: { webhookId }, body: { enabled: false } }, 200);
  }

  /** Dispatches a test event and returns its id. */
  async function dispatch(operation: OperationId, path: Names, headers: Names = {}) {
    const sent = await client.api(operation, { path, body: DATA, headers }, 202);
    expect(sent).toEqual({ id: expect.stringMatching(/^evt_[0-9a-z]{26}$/) });
    return sent.id as string;
  }

  const matched = (id: string, headers: Names = {}) => matchedIn(client, id, headers);

  return {
    get client() {
      return client;
    },
    ...{ register, connect, disable, dispatch, matched },
  };
}

/** Returns the destinations that an event matched, from an account's log. Undefined if it is not there. */
async function matchedIn(
  client: TestClient,
  id: string,
  headers: Names,
): Promise<string[] | undefined> {
  const { items } = await client.api('listWebhookEvents', { headers }, 200);
  const found = items.filter((item: { id: string }) => item.id === id);
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0]?.matched_destination_ids;
}
