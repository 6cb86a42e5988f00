import type { Instant } from '../../domain/instant.ts';
import type { World } from '../../state/world.ts';
import type { RawRequest, RoutedRequest } from '../api-pipeline.ts';
import type { RawResponse } from '../problem.ts';

/** One finished exchange with a world. What it refers to is never changed, so that it is cheap to keep. */
export interface Exchange {
  /** Its place among the requests of its world, from 1. */
  readonly ordinal: number;
  readonly world: World;
  /** The world's time when it was answered. */
  readonly at: Instant;
  readonly requestId: string;
  readonly rawRequest: RawRequest;
  readonly requestBody: Buffer;
  readonly rawResponse: RawResponse;
  readonly routed: RoutedRequest;
}

export type ExchangeListener = (exchange: Exchange) => void;
