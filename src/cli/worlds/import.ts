import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { addRemoteFlags, RemoteFailure, type RemoteFlags, withRemote } from '../remote.ts';
import { formatWorld } from './world-text.ts';

const STANDARD_INPUT = 0;

/** `billing-emulator import`: replaces all that a world holds by an export. */
export function addImport(program: Command): void {
  const command = program
    .command('import <file>')
    .description('Replace all that a world holds by an exported one; - reads the standard input');
  addRemoteFlags(command).action((file: string, flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      const parts = { body: readExport(file) };
      const text = flags.json
        ? await remote.read('importWorld', parts)
        : formatWorld(await remote.call('importWorld', parts));
      process.stdout.write(`${text}\n`);
    }),
  );
}

/** The text of a file that is JSON. What it says is for the emulator to judge. */
function readExport(file: string): string {
  try {
    const text = readFileSync(file === '-' ? STANDARD_INPUT : file, 'utf8');
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new RemoteFailure(`${file}: ${(error as Error).message}`, EXIT.data);
  }
}
