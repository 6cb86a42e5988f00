import { type Command, Option } from 'commander';
import { addRemoteFlags, type RemoteFlags, withRemote } from '../remote.ts';
import { formatWorld } from './world-text.ts';

interface Flags extends RemoteFlags {
  readonly to?: string;
  readonly name?: string;
}

/** `billing-emulator reset`: takes a world back to where it was. */
export function addReset(program: Command): void {
  const command = program
    .command('reset')
    .description('Take a world back to what it opened with, or to something else')
    .addOption(
      new Option('--to <origin>', 'What to go back to').choices(['fixture', 'empty', 'snapshot']),
    )
    .option('--name <name>', 'The fixture or the snapshot');
  addRemoteFlags(command).action((flags: Flags) =>
    withRemote(flags, async (remote) => {
      const { to, name, json } = flags;
      const body = { ...(to !== undefined && { to }), ...(name !== undefined && { name }) };
      const text = json
        ? await remote.read('resetWorld', { body })
        : formatWorld(await remote.call('resetWorld', { body }));
      process.stdout.write(`${text}\n`);
    }),
  );
}
