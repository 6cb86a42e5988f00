import { createClient } from '../client/index.ts';
import type { WorldCommand } from './command.ts';
import { flag } from './flags.ts';
import { untilStopped } from './print.ts';

/** `billing-emulator mcp`: serves the Model Context Protocol on standard input and output. */
export const mcpCommand: WorldCommand = {
  usage: 'mcp',
  about: 'Serve tools for agents (Model Context Protocol) on standard input and output',
  flags: [flag('--read-only', 'Offer only tools that change nothing in the world')],
  async run(client, { flags }) {
    const { url, token, readOnly } = flags as {
      readonly url: string;
      readonly token?: string;
      readonly readOnly?: boolean;
    };
    const { serveMcpOnStdio } = await import('../mcp/server.ts');
    const clientOf = (key: string) => createClient({ url, key, token });
    const context = { client, clientOf, url, isReadOnly: readOnly === true };
    await serveMcpOnStdio(context, untilStopped());
    // Requests that nobody waits for any more would keep the process.
    process.exit();
    return undefined;
  },
};
