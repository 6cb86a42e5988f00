import {
  type ControlAddress,
  type ControlAnswer,
  type ControlClient,
  controlClient,
} from './control-client.ts';
import { type TestControls, testControlsOf } from './test-controls.ts';

/** The world of a key of a running emulator, as tests steer it. */
export interface EmbeddedWorld extends TestControls {
  readonly url: string;
  readonly key: string;
  /** Variables for a process that talks to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Every operation of the control interface, typed. */
  readonly control: ControlClient;
  /** All that the world holds, the same for the same contents. */
  export(): Promise<ControlAnswer<'exportWorld'>>;
}

export function embeddedWorld(address: ControlAddress): EmbeddedWorld {
  const { url, key } = address;
  const control = controlClient(address);
  return {
    url,
    key,
    env: { BILLING_EMULATOR_URL: url, BILLING_EMULATOR_KEY: key },
    control,
    export: () => control.call('exportWorld'),
    ...testControlsOf(control),
  };
}
