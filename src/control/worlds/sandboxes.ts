import { instant, laterBy, parseDuration, toMillis } from '../../domain/instant.ts';
import { violate } from '../../domain/rules.ts';
import { inOrder } from '../../resources/paging.ts';
import { rebaseImage } from '../../store/rebase-image.ts';
import type { Origin } from '../../store/snapshots.ts';
import { runTimeSliced } from '../../store/time-sliced.ts';
import type { World } from '../../store/world.ts';
import { ENVIRONMENTS, type ParsedKey } from '../../store/worlds.ts';
import type { ControlCall, ControlContext, ControlHandler } from '../context.ts';
import { nothingNamed, snapshotNamed } from '../scope.ts';
import { fixtureNamed, presentKept, presentWorld, refusingFixtures } from './state.ts';

export const listSandboxes: ControlHandler<'listSandboxes'> = async ({ query }, context) => {
  await context.worldManager.refresh();
  const names = context.worlds.sandboxes();
  const page = inOrder(names, query, (name) => presentSandbox(name, context));
  return { status: 200, body: { ...page, items: await Promise.all(page.items) } };
};

export const createSandbox: ControlHandler<'createSandbox'> = async ({ body }, context) => {
  const { name: sandbox, time_to_live } = body;
  const { worldManager } = context;
  await refusingFixtures('fixture', () =>
    worldManager.create({
      sandbox,
      environment: body.environment ?? 'test',
      origin: (draft) => originFor(draft, body, context),
      lifetimeMs: time_to_live == null ? undefined : lifetimeOf(time_to_live),
    }),
  );
  return { status: 201, body: await presentSandbox(sandbox, context) };
};

export const deleteSandbox: ControlHandler<'deleteSandbox'> = async ({ query }, context) => {
  const { worldManager, worlds } = context;
  await worldManager.openKept(query.name);
  if (!worldManager.remove(query.name, query.final ?? false))
    nothingNamed(query.name, context, new Set(worlds.sandboxes()));
  return { status: 204 };
};

type SandboxBody = ControlCall<'createSandbox'>['body'];

/** The contents of a new world, adapted to it. */
async function originFor(
  draft: World,
  body: SandboxBody,
  context: ControlContext,
): Promise<Origin> {
  const { fixture, snapshot, sandbox } = body;
  if ([fixture, snapshot, sandbox].filter((each) => each != null).length > 1)
    violate('sandbox.source_ambiguous', 'fixture');
  const { world, worlds, clocks, worldManager } = context;
  if (fixture != null)
    return { kind: 'fixture', name: fixtureNamed(fixture, worldManager, 'fixture') };
  if (snapshot != null) {
    const image = snapshotNamed(snapshot, 'snapshot', context);
    return { kind: 'image', image: await runTimeSliced(rebaseImage(image, world, draft, [])) };
  }
  if (sandbox == null) return { kind: 'preset' };
  const { environment } = draft;
  await worldManager.openKept(sandbox);
  const source = worlds.peek({ sandbox, environment }) ?? violate('sandbox.unknown', 'sandbox');
  clocks.refuseWhileMoving(source);
  const image = await runTimeSliced(source.imaging());
  return { kind: 'image', image: await runTimeSliced(rebaseImage(image, source, draft, [])) };
}

const EPOCH = instant('1970-01-01T00:00:00Z');

/** @units milliseconds */
function lifetimeOf(text: string): number {
  const span = parseDuration(text) ?? violate('clock.duration', 'time_to_live');
  const end = laterBy(EPOCH, span) ?? violate('clock.out_of_range', 'time_to_live');
  return toMillis(end) > 0 ? toMillis(end) : violate('sandbox.no_time', 'time_to_live');
}

async function presentSandbox(name: string, { worlds, worldManager, world }: ControlContext) {
  const closesAt = worlds.closesAt(name);
  const open = ENVIRONMENTS.flatMap((environment) => {
    const world = worlds.peek({ sandbox: name, environment });
    return world ? [presentWorld(world)] : [];
  });
  const { machine } = world.clock;
  const kept = (await worldManager.describeKept(name)).map((each) => presentKept(each, machine));
  return {
    name,
    closes_at: closesAt === undefined ? null : new Date(closesAt).toISOString(),
    worlds: [...open, ...kept].toSorted(byEnvironment),
  };
}

/** Test before live. */
const byEnvironment = (left: ParsedKey, right: ParsedKey): number =>
  ENVIRONMENTS.indexOf(left.environment) - ENVIRONMENTS.indexOf(right.environment);
