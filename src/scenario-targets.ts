import type { Settings } from './config/settings.ts';
import { createInProcessClient } from './http/in-process-client.ts';
import type { Api } from './http/request-context.ts';
import { runDueJobs } from './jobs/due.ts';
import type { WorldClocks } from './jobs/world-clocks.ts';
import type { ScenarioTarget } from './scenarios/scenario-target.ts';
import { ADMIN_HEADER, type HeaderNames } from './spec/header-names.ts';
import { inSlices, runToEnd } from './state/resumable.ts';
import type { World } from './state/world.ts';
import type { Dispatcher } from './webhooks/dispatcher.ts';

export interface ScenarioTargetsOptions {
  readonly apis: readonly Api[];
  readonly names: HeaderNames;
  readonly settings: Settings;
  readonly clocks: WorldClocks;
  readonly dispatcher: Dispatcher;
}

/** What scenarios are played on. */
export interface ScenarioTargets {
  /** Answers at once; deliveries are left to later. */
  atOnce(world: World): ScenarioTarget;
  /** Waits for what is caused, deliveries included. */
  waiting(world: World): ScenarioTarget;
}

export function createScenarioTargets({
  apis,
  names,
  ...rest
}: ScenarioTargetsOptions): ScenarioTargets {
  const { settings, clocks, dispatcher } = rest;
  const headers = { [ADMIN_HEADER]: settings.admin_token };
  const shared = { apis, names, headers, baseUrl: `http://127.0.0.1:${settings.port}` };
  return {
    atOnce: (world) =>
      createInProcessClient({
        ...shared,
        world,
        finish: runToEnd,
        advance(moment) {
          runDueJobs(world, moment, settings);
          world.clock.state = { mode: 'frozen', at: moment };
        },
      }),
    waiting: (world) =>
      createInProcessClient({
        ...shared,
        world,
        finish: inSlices,
        advance: (moment) => clocks.advance(world, moment, 'to').then(() => {}),
        delivered: () => dispatcher.idle(world),
      }),
  };
}
