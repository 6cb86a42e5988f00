import type { AnyBody, WorldCall } from '../../kit/target/own-world.ts';
import type { Ids } from '../calls.ts';
import type { ModelWorld } from '../world.ts';

/** A history that was played so far, in the service and in the model. */
export interface Stage {
  readonly call: WorldCall;
  readonly ids: Ids;
  readonly world: ModelWorld;
}

/** One side of what a history comes to: what is answered about it, and under the same names what must be. */
export type Aspect = (
  stage: Stage,
) => Promise<{ readonly found: AnyBody; readonly wanted: AnyBody }>;
