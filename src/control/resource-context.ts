import type { Context } from '../resources/context.ts';
import type { ControlContext } from './context.ts';

/** What code of the service may touch when the control interface calls it. */
export function contextOf({ world, owner, settings, baseUrl }: ControlContext): Context {
  return { world, tables: world.tables, owner, now: world.now, settings, baseUrl };
}
