/** The values of `type` in problem responses. @assumes A-204 */
export type ProblemType = `/problems/${
  | 'bad-request'
  | 'conflict'
  | 'fault'
  | 'forbidden'
  | 'internal-error'
  | 'method-not-allowed'
  | 'misdirected'
  | 'not-found'
  | 'payload-too-large'
  | 'unavailable'
  | 'unsupported-encoding'
  | 'validation'
  | 'wait-timeout'}`;
