import {
  type ControlAddress,
  type ControlAnswer,
  type ControlClient,
  controlClient,
} from './control-client.ts';

/** What a world held at a moment. */
export interface SavedWorld {
  /** Brings it back, as often as wanted: records, clock and the numbering of identifiers. */
  restore(): Promise<void>;
}

/** The world of a key of a running emulator, as tests steer it. */
export interface EmbeddedWorld {
  readonly url: string;
  readonly key: string;
  /** Variables for a process that talks to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Every operation of the control interface, typed. */
  readonly control: ControlClient;
  /** Moves the clock and answers when all that fell due is done, deliveries included. */
  advance(by: string): Promise<unknown>;
  /** Takes the world back to what it opened with. */
  reset(): Promise<void>;
  /** Remembers all that the world holds. */
  snapshot(): Promise<SavedWorld>;
  /** All that the world holds, the same for the same contents. */
  export(): Promise<ControlAnswer<'exportWorld'>>;
}

export function embeddedWorld(address: ControlAddress): EmbeddedWorld {
  const { url, key } = address;
  const control = controlClient(address);
  let saved = 0;
  return {
    url,
    key,
    env: { BILLING_EMULATOR_URL: url, BILLING_EMULATOR_KEY: key },
    control,
    advance: (by) => control.call('advanceClock', { body: { by } }),
    async reset() {
      await control.call('resetWorld');
    },
    async snapshot() {
      saved += 1;
      const name = `embedded-${saved}`;
      await control.call('saveSnapshot', { body: { name } });
      return {
        async restore() {
          await control.call('restoreSnapshot', { path: { name } });
        },
      };
    },
    export: () => control.call('exportWorld'),
  };
}
