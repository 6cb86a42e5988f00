export type { ProblemType } from '../spec/operations.ts';
export {
  type Client,
  type ClientOptions,
  type ClientReply,
  type ClientRequest,
  type ClientResponse,
  createClient,
} from './client.ts';
export {
  ApiError,
  ConnectionError,
  type ConnectionFailure,
  describeCause,
  type ProblemDetails,
} from './errors.ts';
