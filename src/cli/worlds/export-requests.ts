import { writeFileSync } from 'node:fs';
import type { Client } from '../../client/index.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { fieldsOf, flag, numberFlag } from '../flags.ts';
import type { Verb, VerbOutput } from '../verb.ts';
import { FIXTURE_FLAGS, saveFixture } from './record.ts';

const RANGE = {
  after: numberFlag('--after <ordinal>', 'Only what came after this request'),
  until: numberFlag('--until <ordinal>', 'Only what came up to this request'),
};

/** `billing-emulator requests export`: a part of the request log as a file. */
export const exportRequestsVerb: Verb = {
  usage: 'export',
  about: 'Export the request log, or a part of it: as a fixture, or as an HTTP archive',
  flags: [
    flag('--as <format>', 'What it becomes', { choices: ['fixture', 'har'] }),
    flag('--har', 'The same as --as har'),
    flag('--out <file>', 'Where it goes (default: standard output)'),
    ...Object.values(RANGE),
    ...FIXTURE_FLAGS,
  ],
  run(client, { flags }) {
    const format = flags['har'] === true ? 'har' : flags['as'];
    if (format === undefined || (flags['har'] === true && flags['as'] === 'fixture'))
      throw new CommandError('Expected --as fixture or --as har.', EXIT.usage);
    const part = fieldsOf(RANGE, flags);
    const file = flags['out'] as string | undefined;
    return format === 'har'
      ? saveHar(client, file, { ...part, redact_customers: flags['redactCustomers'] === true })
      : saveFixture(client, file, part, flags);
  },
};

async function saveHar(
  client: Client,
  file: string | undefined,
  part: object,
): Promise<VerbOutput> {
  const text = await client.read('exportHar', { query: part });
  if (file === undefined) return { json: text, text };
  writeFileSync(file, text);
  const { log } = JSON.parse(text) as { log: { entries: readonly unknown[] } };
  const entries = log.entries.length;
  return {
    json: JSON.stringify({ file, entries }),
    text: `${file}: ${entries === 1 ? '1 entry' : `${entries} entries`}`,
  };
}
