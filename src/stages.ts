import { ADMIN_HEADER } from './control/access.ts';
import type { HeaderNames } from './http/credentials.ts';
import { createStage, type StageDoor } from './http/stage.ts';
import { settleDue } from './jobs/due.ts';
import type { WorldClocks } from './jobs/world-clocks.ts';
import type { Stage } from './seed/stage.ts';
import type { Settings } from './state/settings.ts';
import type { World } from './state/world.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';

export interface StagesOptions {
  readonly service: StageDoor;
  readonly control: StageDoor;
  readonly names: HeaderNames;
  readonly settings: Settings;
  readonly clocks: WorldClocks;
  readonly dispatcher: Dispatcher;
}

/** What scenarios are played on. */
export interface Stages {
  /** Answers at once; deliveries are left to later. */
  atOnce(world: World): Stage;
  /** Waits for what is caused, deliveries included. */
  waiting(world: World): Stage;
}

export function createStages({ service, control, names, ...rest }: StagesOptions): Stages {
  const { settings, clocks, dispatcher } = rest;
  const headers = { [ADMIN_HEADER]: settings.admin_token };
  const doors = [service, { ...control, headers }];
  const shared = { doors, names, baseUrl: `http://127.0.0.1:${settings.port}` };
  return {
    atOnce: (world) =>
      createStage({
        ...shared,
        world,
        advance(moment) {
          settleDue(world, moment, settings);
          world.clock.state = { mode: 'frozen', at: moment };
        },
      }),
    waiting: (world) =>
      createStage({
        ...shared,
        world,
        advance: (moment) => clocks.advance(world, moment, 'to').then(() => {}),
        delivered: () => dispatcher.idle(world),
      }),
  };
}
