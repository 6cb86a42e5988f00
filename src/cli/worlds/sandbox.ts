import type { ClientAnswer } from '../../client/index.ts';
import { flag } from '../flags.ts';
import { alignColumns, printPage } from '../print.ts';
import { callVerb, type VerbGroup } from '../verb.ts';
import { formatRecords } from './world-text.ts';

/** `billing-emulator sandbox`: independent worlds, by name. */
export const sandboxVerbs: VerbGroup = {
  usage: 'sandbox',
  about: 'List, create and delete sandboxes, each with its own keys and worlds',
  verbs: [
    callVerb('listSandboxes', {
      usage: 'list',
      isDefault: true,
      about: 'List the open sandboxes',
      query: { limit: flag('--limit <count>', 'Maximum number of sandboxes', { preset: '100' }) },
      text: (page) => printPage(page, rowsOf, 'No sandboxes.'),
    }),
    callVerb('createSandbox', {
      usage: 'create <name>',
      about: 'Create a sandbox',
      body: {
        fixture: flag('--fixture <name>', 'Fill it from a fixture'),
        snapshot: flag('--snapshot <name>', "Fill it from a snapshot of --key's world"),
        sandbox: flag('--from <sandbox>', 'Fill it from another sandbox'),
        environment: flag('--live', 'Fill the live environment instead of the test environment', {
          sets: 'live',
        }),
        time_to_live: flag(
          '--time-to-live <duration>',
          'Close it after this time without use, such as 1h',
        ),
      },
      request: ({ args: [name] }) => ({ body: { name } }),
      text: (sandbox) => alignColumns(rowsOf(sandbox)),
    }),
    callVerb('deleteSandbox', {
      usage: 'delete <name>',
      about: 'Delete a sandbox with both its environments; undo with its key restores it',
      request: ({ args: [name] }) => ({ query: { name } }),
      text: (_, { args: [name] }) => `${name} is deleted.`,
      json: ({ args: [deleted] }) => ({ deleted }),
    }),
  ],
};

function rowsOf({ name, closes_at, worlds }: ClientAnswer<'createSandbox'>): string[][] {
  return worlds.map(({ environment, now, mode, records }) => [
    `key_${environment}_${name}`,
    now,
    mode,
    formatRecords(records),
    closes_at === null ? '' : `closes ${closes_at}`,
  ]);
}
