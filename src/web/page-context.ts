import type { Request } from 'express';
import type { Context } from '../resources/context.ts';
import type { World } from '../state/world.ts';
import type { PagesOptions } from './pages.ts';

/** What a page may touch: the same as a handler, in the world and for the owner of its link. */
export function pageContext(
  { settings, baseUrlOf, settle }: PagesOptions,
  request: Request,
  world: World,
  owner: string,
): Context {
  settle(world);
  const baseUrl = baseUrlOf(request);
  return { world, tables: world.tables, owner, now: world.now, settings, baseUrl };
}
