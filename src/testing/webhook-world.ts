import type { World } from '../state/world.ts';
import { type AnyBody, createTestClient, type TestClient } from './client.ts';
import { listenRaw, type RawAnswer, type RawReceiver } from './raw-receiver.ts';

export const TOPIC = 'subscription.activated';

/** For tests of webhooks: an emulator, and receivers that end with it. */
export interface WebhookWorld {
  readonly client: TestClient;
  readonly world: World;
  receiver(answer?: RawAnswer): Promise<RawReceiver>;
  /** Registers a destination; answers its id and its secret. */
  register(url: string, more?: object): Promise<{ readonly id: string; readonly secret: string }>;
  /** Files a test event; answers its id. */
  dispatch(data?: object): Promise<string>;
  /** Waits until nothing is under way. */
  idle(): Promise<void>;
  advance(by: string): Promise<AnyBody>;
  /** All deliveries with every byte, oldest first. */
  deliveries(): Promise<AnyBody[]>;
  close(): Promise<void>;
}

export function openWebhookWorld(settings = {}): WebhookWorld {
  const client = createTestClient({ webhook_time: 'world', ...settings });
  const world = client.emulator.worlds.find('key_test_emulator') as World;
  const receivers: RawReceiver[] = [];
  const { api, control } = client;
  return {
    client,
    world,
    async receiver(answer) {
      const made = await listenRaw(answer);
      receivers.push(made);
      return made;
    },
    register: (url, more = {}) => api('createWebhook', { body: { url, ...more } }, 201),
    async dispatch(data = {}) {
      return (await api('testWebhooks', { path: { topic: TOPIC }, body: data }, 202)).id;
    },
    idle: () => client.emulator.dispatcher.idle(world),
    advance: (by) => control('advanceClock', { body: { by } }, 200),
    async deliveries() {
      const { items } = await control('listDeliveries', { query: { limit: 1000 } }, 200);
      const details = items.map(({ id }: { id: string }) =>
        control('getDelivery', { path: { deliveryId: id } }, 200),
      );
      return (await Promise.all(details)).reverse();
    },
    async close() {
      await client.emulator.close();
      await Promise.all(receivers.map((each) => each.close()));
    },
  };
}
