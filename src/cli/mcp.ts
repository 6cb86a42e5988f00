import type { ClientOptions } from '../client/index.ts';
import type { WorldCommand } from './command.ts';
import { flag } from './flags.ts';
import { untilStopped } from './print.ts';

/** `billing-emulator mcp`: serves the Model Context Protocol on standard input and output. */
export const mcpCommand: WorldCommand = {
  usage: 'mcp',
  about: 'Serve tools for agents (Model Context Protocol) on standard input and output',
  flags: [flag('--read-only', 'Offer only tools that change nothing in the world')],
  async run(_client, { flags }) {
    const { url, key, token } = flags as unknown as ClientOptions;
    const { serveMcpOnStdio } = await import('../mcp/server.ts');
    await serveMcpOnStdio({ url, key, token }, flags['readOnly'] === true, untilStopped());
    // Requests that nobody waits for any more would keep the process.
    process.exit();
    return undefined;
  },
};
