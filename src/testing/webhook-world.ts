import { onTestFinished } from 'vitest';
import { machineTime } from '../config/machine-time.ts';
import { type Instant, toMillis } from '../domain/instant.ts';
import type { EmulatorOptions } from '../main.ts';
import type { World } from '../store/world.ts';
import { type AnyBody, createTestClient, type TestClient, worldOf } from './client.ts';
import { listenRaw, type RawAnswer, type RawReceiver } from './server.ts';

export const TOPIC = 'subscription.activated';

/** The time in tests, in Unix seconds. */
export const NOW_SECONDS = 1768478400;

export const sentSignature = (headers: object) =>
  (headers as Record<string, string>)['service-signature'];

/** For tests of webhooks: an emulator, and receivers that end with it when the test has ended. */
export type WebhookWorld = ReturnType<typeof openWebhookWorld>;

export function openWebhookWorld(settings = {}, options: Pick<EmulatorOptions, 'machine'> = {}) {
  /** The time in signatures: that of the world while its clock is frozen, so that each run has the same. */
  let world: World | undefined;
  const machine = (): number =>
    world?.clock.state.mode === 'frozen' ? toMillis(world.clock.state.at) : machineTime();
  const client = createTestClient(settings, { machine, ...options });
  const opened = worldOf(client.emulator);
  world = opened;
  const receivers: RawReceiver[] = [];
  onTestFinished(async () => {
    await client.emulator.close();
    await Promise.all(receivers.map((each) => each.close()));
  });
  return {
    client,
    world: opened,
    api: client.api,
    async receiver(answer?: RawAnswer): Promise<RawReceiver> {
      const made = await listenRaw(answer);
      receivers.push(made);
      return made;
    },
    ...actionsIn(client, opened),
  };
}

function actionsIn({ api, emulator }: TestClient, world: World) {
  const { dispatcher } = emulator;
  /** Waits until no delivery is in progress. */
  const idle = (): Promise<void> => dispatcher.idle(world);
  return {
    /** Registers a destination. Returns its id and its secret. */
    register: (url: string): Promise<{ readonly id: string; readonly secret: string }> =>
      api('createWebhook', { body: { url } }, 201),
    /** Enqueues a test event. Returns its id. */
    async dispatch(data: object = {}): Promise<string> {
      return (await api('testWebhooks', { path: { topic: TOPIC }, body: data }, 202)).id;
    },
    /** Adds a fault rule that is applied once by default. */
    addFault: (rule: object, status = 201) =>
      api('addFault', { body: { times: 1, ...rule } }, status),
    idle,
    advance: (by: string) => api('advanceClock', { body: { by } }),
    /** Advances the clock to an instant and makes the attempts that are due. */
    async moveTo(at: Instant): Promise<void> {
      world.clock.state = { mode: 'frozen', at };
      dispatcher.dispatchDue(world, at);
      await idle();
    },
    /** The events of the log, the latest first. */
    logItems: async (): Promise<AnyBody[]> => (await api('listWebhookEvents')).items,
    /** All deliveries with every byte, oldest first. */
    async deliveries(): Promise<AnyBody[]> {
      const { items } = await api('listDeliveries', { query: { limit: 1000 } });
      const whole = items.map(async ({ id }: { id: string }) => {
        const page = await api('listDeliveries', { query: { delivery_id: id } });
        const [{ details, ...delivery }] = page.items;
        return { delivery, ...details };
      });
      return (await Promise.all(whole)).reverse();
    },
  };
}
