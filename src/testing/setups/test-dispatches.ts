import { beforeEach, expect } from 'vitest';
import type { OperationId } from '../../spec/operations.ts';
import { type AnyBody, createTestClient, type TestClient } from '../client.ts';

export const DATA = { user_id: 'user_7', nested: { status: ['active', 1, null] } };

/** Headers or path parameters, by name. */
export type Names = Readonly<Record<string, string>>;

/** For tests: before each, a new emulator, and calls about test events. */
export function openTestDispatches() {
  const place = {} as { client: TestClient };
  beforeEach(() => {
    place.client = createTestClient();
  });
  const api: TestClient['api'] = (...call) => place.client.api(...call);
  return Object.assign(place, {
    async register(body: object = {}, headers: Names = {}): Promise<string> {
      const given = { url: 'http://127.0.0.1:9/hook', ...body };
      return (await api('createWebhook', { body: given, headers }, 201)).id;
    },
    async connect(): Promise<Names & { 'X-Service-Account': string }> {
      const { id } = await api('createConnectedAccount', { body: { name: 'Branch' } }, 201);
      return { 'X-Service-Account': id };
    },
    disable: (webhookId: string) =>
      api('updateWebhook', { path: { webhookId }, body: { enabled: false } }, 200),
    /** Dispatches a test event and returns its id. */
    async dispatch(operation: OperationId, path: Names, headers: Names = {}): Promise<string> {
      const sent = await api(operation, { path, body: DATA, headers }, 202);
      expect(sent).toEqual({ id: expect.stringMatching(/^evt_[0-9a-z]{26}$/) });
      return sent.id;
    },
    /** The destinations that an event matched, from an account's log. Undefined if it is not there. */
    async matched(id: string, headers: Names = {}): Promise<string[] | undefined> {
      const { items } = await api('listWebhookEvents', { headers }, 200);
      const found = items.filter((item: AnyBody) => item.id === id);
      expect(found.length).toBeLessThanOrEqual(1);
      return found[0]?.matched_destination_ids;
    },
  });
}
