export {
  type Client,
  type ClientAnswer,
  type ClientOptions,
  type ClientReply,
  type ClientRequest,
  createClient,
} from './client.ts';
export {
  ApiError,
  ConnectionError,
  type ConnectionFailure,
  type ProblemDetails,
} from './errors.ts';
