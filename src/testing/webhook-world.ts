import type { Instant } from '../domain/instant.ts';
import type { EmulatorOptions } from '../emulator.ts';
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
  /** Takes the clock to an instant and makes the attempts that are due there. */
  moveTo(at: Instant): Promise<void>;
  /** The events of the log, the latest first. */
  logItems(): Promise<AnyBody[]>;
  /** All deliveries with every byte, oldest first. */
  deliveries(): Promise<AnyBody[]>;
  close(): Promise<void>;
}

export function openWebhookWorld(
  settings = {},
  options: Pick<EmulatorOptions, 'machine'> = {},
): WebhookWorld {
  const client = createTestClient({ webhook_time: 'world', ...settings }, options);
  const world = client.emulator.worlds.find('key_test_emulator') as World;
  const receivers: RawReceiver[] = [];
  return {
    ...{ client, world },
    async receiver(answer) {
      const made = await listenRaw(answer);
      receivers.push(made);
      return made;
    },
    ...deedsIn(client, world),
    async close() {
      await client.emulator.close();
      await Promise.all(receivers.map((each) => each.close()));
    },
  };
}

function deedsIn(
  { api, control, emulator }: TestClient,
  world: World,
): Omit<WebhookWorld, 'client' | 'world' | 'receiver' | 'close'> {
  const { dispatcher } = emulator;
  const idle = () => dispatcher.idle(world);
  return {
    register: (url, more = {}) => api('createWebhook', { body: { url, ...more } }, 201),
    async dispatch(data = {}) {
      return (await api('testWebhooks', { path: { topic: TOPIC }, body: data }, 202)).id;
    },
    idle,
    advance: (by) => control('advanceClock', { body: { by } }, 200),
    async moveTo(at) {
      world.clock.state = { mode: 'frozen', at };
      dispatcher.dispatchDue(world, at);
      await idle();
    },
    logItems: async () => (await api('listWebhookEvents', {}, 200)).items,
    async deliveries() {
      const { items } = await control('listDeliveries', { query: { limit: 1000 } }, 200);
      const details = items.map(({ id }: { id: string }) =>
        control('getDelivery', { path: { deliveryId: id } }, 200),
      );
      return (await Promise.all(details)).reverse();
    },
  };
}
