import type { ControlServices } from '../../control/context.ts';
import type { World } from '../../state/world.ts';
import type { PagesOptions } from '../pages.ts';

/** What the inspector is made from. */
export interface InspectorOptions extends PagesOptions {
  readonly services: ControlServices;
  /** Says that something was changed that is to be kept. */
  readonly touch: (world: World) => void;
}
