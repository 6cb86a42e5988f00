import type { Command } from 'commander';
import { addRemoteFlags, type Remote, type RemoteFlags, withRemote } from '../remote.ts';

interface Flags extends RemoteFlags {
  readonly clear?: boolean;
}

/** `billing-emulator warnings`: what was accepted without effect. */
export function addWarnings(program: Command): void {
  const command = program
    .command('warnings')
    .description('List what was accepted and yet had no effect')
    .option('--clear', 'Forget them after they are printed');
  addRemoteFlags(command).action((flags: Flags) =>
    withRemote(flags, async (remote) => {
      await print(remote, flags);
      if (flags.clear) await remote.call('clearWarnings');
    }),
  );
}

async function print(remote: Remote, { json }: Flags): Promise<void> {
  if (json) {
    process.stdout.write(`${await remote.read('listWarnings')}\n`);
    return;
  }
  const { items, total_count } = await remote.call('listWarnings');
  if (items.length === 0) process.stdout.write('No warnings.\n');
  for (const { at, kind, message, event_id } of items) {
    const origin = event_id === undefined ? '' : ` (event ${event_id})`;
    process.stdout.write(`${at}  ${kind}  ${message}${origin}\n`);
  }
  const more = total_count - items.length;
  if (more > 0) process.stdout.write(`${more} more.\n`);
}
