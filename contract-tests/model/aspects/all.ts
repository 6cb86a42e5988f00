import type { Aspect } from './aspect.ts';
import { catalog } from './catalog.ts';
import { credit } from './credit.ts';
import { destinations } from './destinations.ts';
import { harmless } from './harmless.ts';
import { lists } from './lists.ts';
import { profits } from './profits.ts';
import { state } from './state.ts';
import { usage } from './usage.ts';
import { webhookLog } from './webhook-log.ts';

/** All aspects, in the order in which they are compared after a history. */
export const ASPECTS: readonly Aspect[] = [
  harmless,
  state,
  catalog,
  lists,
  usage,
  profits,
  credit,
  destinations,
  webhookLog,
];
