import type { RequestListener } from 'node:http';
import { isLiveness, sayAlive } from './fallback.ts';
import { problem } from './problem.ts';

const { status, headers, text } = problem(
  503,
  'The data file is being read. Nothing is answered before, and nothing is changed.',
  { 'Retry-After': '1' },
);

/** Answers as long as the data is read: that it is alive, that it is not ready, and that all else shall be asked again. */
export const answerStarting: RequestListener = (request, response) => {
  request.resume();
  if (isLiveness(request, 'livez')) return sayAlive(response);
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
};
