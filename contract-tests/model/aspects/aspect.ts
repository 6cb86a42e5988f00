import type { AnyBody, WorldCall } from '../../kit/target/own-world.ts';
import type { Ids } from '../calls.ts';
import type { ModelWorld } from '../world.ts';

/** A history that was played so far, in the service and in the model. */
export interface Stage {
  readonly call: WorldCall;
  readonly ids: Ids;
  readonly world: ModelWorld;
  /** The same in a connected account, whose events destinations of this one may get. */
  readonly beside?: Stage;
}

/** Something that is answered about a history, and what must be. */
export type Compared = readonly [name: string, found: AnyBody, wanted: AnyBody];

/** One side of what a history comes to. */
export type Aspect = (stage: Stage) => AsyncIterable<Compared>;
