import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { type ClientOptions, createClient } from '../client/index.ts';
import { createMcpServer } from './server.ts';

/**
 * Answers requests of the streamable HTTP transport, each on its own, as no session has a state. `read_only` in the
 * query leaves out what changes the world.
 *
 * @param caller who calls, and the emulator that the tools call in turn
 */
export async function answerMcp(
  caller: ClientOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const clientOf = (key: string) => createClient({ ...caller, key });
  const [, query] = (request.url ?? '').split('?');
  const isReadOnly = new URLSearchParams(query).has('read_only');
  const server = createMcpServer({
    ...{ clientOf, client: clientOf(caller.key), url: caller.url, isReadOnly },
  });
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void server.close());
  await server.connect(transport as never);
  await transport.handleRequest(request, response);
}
