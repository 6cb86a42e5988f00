import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer } from './server.ts';
import type { ToolContext } from './tool.ts';

/** Serves tools on standard input and output, until the input ends or `stopped` resolves. */
export async function serveMcpOnStdio(context: ToolContext, stopped: Promise<void>): Promise<void> {
  const server = createMcpServer(context);
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve));
  await server.connect(new StdioServerTransport());
  await Promise.race([ended, stopped]);
  await server.close();
}
