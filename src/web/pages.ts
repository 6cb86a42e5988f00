import type { Request } from 'express';
import type { Logger } from '../config/log.ts';
import type { Settings } from '../config/settings.ts';
import type { RecordMove } from '../http/log/own-move.ts';
import type { Durable } from '../state/durable.ts';
import type { World } from '../state/world.ts';
import type { Worlds } from '../state/worlds.ts';

/** What pages are made from. */
export interface PagesOptions {
  readonly worlds: Worlds;
  readonly settings: Settings;
  readonly log: Logger;
  /** Base of the links on the page a request asks for. */
  readonly baseUrlOf: (request: Request) => string;
  /** Keeps what a page did as a call of the control interface would have. */
  readonly recordMove: RecordMove;
  /** Does what fell due in a world by now, before a page shows it. */
  readonly settle: (world: World) => void;
  /** Resolves once all that changed so far is kept; undefined where no answer waits for that. */
  readonly durable: Durable;
  /** Resolves once something may be changed; undefined where it may be. */
  readonly room: Durable;
}
