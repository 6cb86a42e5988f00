import { writeFileSync } from 'node:fs';
import type { Client, ClientAnswer, ClientRequest } from '../../client/index.ts';
import type { Scenario } from '../../fixtures/scenario.ts';
import { fixtureText } from '../../fixtures/write.ts';
import { parseExact } from '../../text/exact-json.ts';
import { plural } from '../../text/plural.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { type Flags, fieldsOf, flag, numberFlag } from '../flags.ts';
import { printError } from '../print.ts';
import { callVerb, type Verb, type VerbGroup, type VerbOutput } from '../verb.ts';

const FIXTURE_FLAGS = [
  flag('--expect', 'Check the stable parts of each response, not only its status'),
  flag('--redact-customers', 'Replace the names and e-mail addresses of customers'),
];

/** `billing-emulator record`: saves a session as a fixture. */
export const recordVerbs: VerbGroup = {
  usage: 'record',
  about: 'Record the requests to a world and save them as a fixture',
  verbs: [
    callVerb('startRecording', {
      usage: 'start',
      about: 'Start recording; use an empty world, because the fixture starts in one',
      text: describeStart,
    }),
    callVerb('stopRecording', {
      usage: 'stop',
      about: 'Stop recording',
      text: ({ requests }) =>
        `Recorded ${plural(requests, 'request')}. Save with: record save FILE`,
    }),
    {
      usage: 'save <file>',
      about: 'Save the recording so far as a fixture in YAML or JSON',
      flags: FIXTURE_FLAGS,
      run: (client, { args: [file = ''], flags }) =>
        saveFixture(client, file, { recorded: true }, flags),
    } satisfies Verb,
  ],
};

function describeStart({ at, records }: ClientAnswer<'startRecording'>): string {
  const { ordinals: _, ...held } = records;
  const total = Object.values(held).reduce((sum, count) => sum + count, 0);
  const remark =
    total === 0
      ? []
      : [
          `The world already holds ${plural(total, 'record')}, which the fixture will not create.`,
          'Empty it with: reset --to empty',
        ];
  return [`Recording since ${at}.`, ...remark].join('\n');
}

type Part = NonNullable<ClientRequest<'exportFixture'>['query']>;

/** Exports a range of the log as a fixture, to a file or to standard output. */
async function saveFixture(
  client: Client,
  file: string | undefined,
  part: Part,
  { expect = false, redactCustomers = false }: Flags,
): Promise<VerbOutput> {
  const wish = { expect: expect === true, redact_customers: redactCustomers === true };
  const answer = await client.read('exportFixture', { query: { ...part, ...wish } });
  const exported = parseExact(answer) as { fixture: Scenario; remarks: string[]; steps: number };
  const { fixture, remarks, steps } = exported;
  for (const remark of remarks) printError(remark);
  const text = fixtureText(fixture, file ?? '');
  if (file === undefined) return { json: answer, text };
  writeFileSync(file, text);
  return {
    json: JSON.stringify({ file, steps, remarks }),
    text: `${file}: ${plural(steps, 'step')}. Run it: billing-emulator run ${file}`,
  };
}

const RANGE = {
  after: numberFlag('--after <ordinal>', 'Only requests after this one'),
  until: numberFlag('--until <ordinal>', 'Only requests up to this one'),
};

/** `billing-emulator requests export`: exports a range of the request log to a file. */
export const exportRequestsVerb: Verb = {
  usage: 'export',
  about: 'Export the request log or part of it as a fixture or an HTTP archive (HAR)',
  flags: [
    flag('--as <format>', 'Format of the export', { choices: ['fixture', 'har'] }),
    flag('--har', 'Same as --as har'),
    flag('--out <file>', 'File to write (default: standard output)'),
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
    text: `${file}: ${plural(entries, 'entry', 'entries')}`,
  };
}
