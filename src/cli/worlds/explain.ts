import type { Command } from 'commander';
import { addRemoteFlags, type RemoteFlags, withRemote } from '../remote.ts';

/** `billing-emulator explain <id>`: how a fee or a usage event came to cost what it costs. */
export function addExplain(program: Command): void {
  const command = program
    .command('explain')
    .description('Explain a fee or a usage event')
    .argument('<id>', 'Id of a fee (fee_…) or of a usage event');
  addRemoteFlags(command).action((id: string, flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      const accept = flags.json ? 'application/json' : 'text/plain';
      const text = id.startsWith('fee_')
        ? await remote.read('explainFee', { path: { feeId: id }, headers: { accept } })
        : await remote.read('explainEvent', { path: { eventId: id }, headers: { accept } });
      process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    }),
  );
}
