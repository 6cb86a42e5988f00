import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { addRemoteFlags, type RemoteFlags, withRemote } from '../remote.ts';
import { formatRecords } from './world-text.ts';

/** `billing-emulator export`: all that a world holds, as text that is compared and kept. */
export function addExport(program: Command): void {
  const command = program
    .command('export [file]')
    .description('Write all that a world holds as JSON, to a file or to the standard output');
  addRemoteFlags(command).action((file: string | undefined, flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      const text = await remote.read('exportWorld');
      if (file === undefined) {
        process.stdout.write(text);
        return;
      }
      writeFileSync(file, text);
      const records = countRecords(text);
      const line = flags.json
        ? JSON.stringify({ file, bytes: Buffer.byteLength(text), records })
        : `${file}: ${formatRecords(records)}`;
      process.stdout.write(`${line}\n`);
    }),
  );
}

function countRecords(text: string): Record<string, number> {
  const { tables } = JSON.parse(text) as { tables: Readonly<Record<string, readonly unknown[]>> };
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.length]));
}
