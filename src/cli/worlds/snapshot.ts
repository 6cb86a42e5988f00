import { printPage } from '../print.ts';
import { callVerb, type VerbGroup } from '../verb.ts';
import { diffVerb } from './diff.ts';
import { formatRecords, formatWorld } from './world-text.ts';

/** `billing-emulator snapshot`: named copies of all that a world holds. */
export const snapshotVerbs: VerbGroup = {
  usage: 'snapshot',
  about: 'Save all that a world holds under a name, go back to it, and see what changed',
  verbs: [
    callVerb('saveSnapshot', {
      usage: 'save <name>',
      about: 'Save what the world holds; a snapshot of the same name gives way',
      request: ({ args: [name] }) => ({ body: { name } }),
      text: ({ name, saved_at, records }) => `${name} at ${saved_at}: ${formatRecords(records)}`,
    }),
    callVerb('listSnapshots', {
      usage: 'list',
      isDefault: true,
      about: 'List the snapshots of the world',
      text: (page) =>
        printPage(
          page,
          ({ name, saved_at, records }) => [[name, saved_at, formatRecords(records)]],
          'No snapshots.',
        ),
    }),
    callVerb('restoreSnapshot', {
      usage: 'restore <name>',
      about: 'Replace what the world holds by what it held when the snapshot was saved',
      request: ({ args: [name] }) => ({ path: { name } }),
      text: formatWorld,
    }),
    diffVerb,
    callVerb('deleteSnapshot', {
      usage: 'delete <name>',
      about: 'Delete a snapshot',
      request: ({ args: [name] }) => ({ path: { name } }),
      text: (_, { args: [name] }) => `${name} is deleted.`,
      json: ({ args: [deleted] }) => ({ deleted }),
    }),
  ],
};
