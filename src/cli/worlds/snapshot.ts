import type { Command } from 'commander';
import { alignColumns, print } from '../print.ts';
import { addRemoteFlags, type RemoteFlags, withRemote } from '../remote.ts';
import { formatRecords, formatWorld } from './world-text.ts';

/** `billing-emulator snapshot`: named copies of all that a world holds. */
export function addSnapshot(program: Command): void {
  const snapshot = program
    .command('snapshot')
    .description('Save all that a world holds under a name, and go back to it');
  addSave(snapshot);
  addList(snapshot);
  addRestore(snapshot);
  addDelete(snapshot);
}

function addSave(snapshot: Command): void {
  const command = snapshot
    .command('save <name>')
    .description('Save what the world holds; a snapshot of the same name gives way');
  addRemoteFlags(command).action((name: string, flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      const parts = { body: { name } };
      if (flags.json) return print(await remote.read('saveSnapshot', parts));
      const { saved_at, records } = await remote.call('saveSnapshot', parts);
      print(`${name} at ${saved_at}: ${formatRecords(records)}`);
    }),
  );
}

function addList(snapshot: Command): void {
  const command = snapshot.command('list').description('List the snapshots of the world');
  addRemoteFlags(command).action((flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      if (flags.json) return print(await remote.read('listSnapshots'));
      const { items } = await remote.call('listSnapshots');
      const rows = items.map(({ name, saved_at, records }) => [
        name,
        saved_at,
        formatRecords(records),
      ]);
      print(rows.length === 0 ? 'No snapshots.' : alignColumns(rows));
    }),
  );
}

function addRestore(snapshot: Command): void {
  const command = snapshot
    .command('restore <name>')
    .description('Replace what the world holds by what it held when the snapshot was saved');
  addRemoteFlags(command).action((name: string, flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      const parts = { path: { name } };
      if (flags.json) return print(await remote.read('restoreSnapshot', parts));
      print(formatWorld(await remote.call('restoreSnapshot', parts)));
    }),
  );
}

function addDelete(snapshot: Command): void {
  const command = snapshot.command('delete <name>').description('Forget a snapshot');
  addRemoteFlags(command).action((name: string, flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      await remote.call('deleteSnapshot', { path: { name } });
      print(flags.json ? JSON.stringify({ deleted: name }) : `${name} is deleted.`);
    }),
  );
}
