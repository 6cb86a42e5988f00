import type { RequestListener } from 'node:http';
import type { Logger } from './config/log.ts';
import type { MachineTime } from './config/machine-time.ts';
import type { GivenSettings } from './config/settings.ts';
import type { Handlers } from './resources/context.ts';
import type { Storage } from './store/storage/storage.ts';
import type { CommitListener } from './store/world.ts';
import type { Resolve } from './webhooks/egress.ts';
import type { Poster } from './webhooks/post.ts';

/** What an emulator can be given. */
export interface EmulatorOptions {
  readonly settings?: GivenSettings;
  readonly log?: Logger;
  /** Returns the machine's time. Tests replace it to stop time. */
  readonly machine?: MachineTime;
  /** Called on every commit of every world. If it throws, the commit is rolled back. */
  readonly onCommit?: CommitListener | undefined;
  /** Where the worlds are kept. Default: in memory only. */
  readonly storage?: Storage;
  /** Wraps the request listener, such as to change what arrives or what is sent. */
  readonly around?: (handle: RequestListener) => RequestListener;
  /** Handlers of the operations. Default: the emulator's own. */
  readonly handlers?: Handlers;
  /** Resolves host names of webhook receivers. Default: the machine's resolver. */
  readonly resolve?: Resolve | undefined;
  /** Ends the process, for a request that stops the emulator. Default: such a request is rejected. */
  readonly stop?: (() => void) | undefined;
  /** Sends webhook requests. Default: the emulator's own HTTP client. */
  readonly poster?: Poster | undefined;
}
