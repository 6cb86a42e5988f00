import type { AnyBody, WorldCall } from '../../kit/target/own-world.ts';
import type { Ids } from '../calls.ts';
import type { ModelWorld } from '../world.ts';

/** The state of a history, in the service and in the model. */
export interface Stage {
  readonly call: WorldCall;
  readonly ids: Ids;
  readonly world: ModelWorld;
}

/** A part of a response, with the expected value. */
export type Compared = readonly [name: string, found: AnyBody, wanted: AnyBody];

/** Reads one part of the state from the service, and yields it with the expected values. */
export type Aspect = (stage: Stage) => AsyncIterable<Compared>;
