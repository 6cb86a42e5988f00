import type { ClientResponse } from '../../client/index.ts';
import { parseInstant } from '../../domain/instant.ts';
import { plural } from '../../text/wording.ts';
import { type CommandGroup, operationCommand } from '../command.ts';
import { flag } from '../flags.ts';
import { printPage } from '../print.ts';

/** `billing-emulator clock`: the time of a world, and the jobs due by it. */
export const clockCommands: CommandGroup = {
  usage: 'clock',
  about: 'Show, set and advance the clock of a world',
  commands: [
    operationCommand('getClock', {
      usage: 'show',
      isDefault: true,
      about: 'Show the clock',
      text: ({ now, mode, next_due }) =>
        `${now}  ${mode}  ${next_due === null ? 'nothing is scheduled' : `next due ${next_due}`}`,
    }),
    operationCommand('setClock', {
      usage: 'set <moment>',
      about:
        'Set the clock to an instant, from which it runs on, or to `real` time; runs no due work',
      request: ({ args: [moment] }) => ({
        body: moment === 'real' ? { mode: 'real' } : { mode: 'offset', now: moment },
      }),
      text: describeSet,
    }),
    operationCommand('setClock', {
      usage: 'freeze [moment]',
      about: 'Stop the clock now, or at an instant; runs no due work',
      request: ({ args: [now] }) => ({ body: { mode: 'frozen', now } }),
      text: describeSet,
    }),
    operationCommand('advanceClock', {
      usage: 'advance <how-far>',
      about:
        'Advance by a duration (1mo, P1M, 30d), to an instant, to the `next` due item, or until all webhooks are `delivered`',
      flags: [flag('--dry-run', 'Show what would happen, change nothing')],
      request: ({ args: [howFar = ''], flags: { dryRun } }) => ({
        body: { ...goalOf(howFar), dry_run: dryRun },
      }),
      text: describeAdvance,
    }),
  ],
};

function describeSet({ now, mode, moved }: ClientResponse<'setClock'>): string {
  return `${now}  ${mode}  ${moved === 'none' ? 'not moved' : `moved ${moved}`}`;
}

function goalOf(howFar: string): object {
  if (howFar === 'next' || howFar === 'delivered') return { until: howFar };
  return parseInstant(howFar) === undefined ? { by: howFar } : { to: howFar };
}

type Advance = ClientResponse<'advanceClock'>;

function describeAdvance({ from, now, mode_before, mode, dry_run, ...page }: Advance): string {
  const count = plural(page.total_count, 'due item');
  return [
    ...(page.items.length > 0 ? [printPage(page, rowOf, '')] : []),
    `${from} ${dry_run ? 'would go' : 'went'} to ${now}: ${count}.`,
    ...(mode_before !== mode && !dry_run
      ? [`The clock was ${mode_before} and is now ${mode}.`]
      : []),
  ].join('\n');
}

function rowOf(item: Advance['items'][number]): string[] {
  const { at, kind, outcome = '', fee, movements } = item;
  const money = [
    ...(fee ? [`${fee.currency} ${fee.amount}`] : []),
    ...movements.map(({ asset, amount }) => `${asset} ${amount > 0 ? '+' : ''}${amount}`),
  ];
  return [at, kind, outcome, money.join(', '), subjectOf(item)];
}

const SUBJECTS = ['webhook_event_id', 'subscription_id', 'grant_id', 'top_up_id', 'asset'] as const;

/** The most useful identifier of an item. */
function subjectOf(item: { readonly [Name in (typeof SUBJECTS)[number]]?: string }): string {
  const name = SUBJECTS.find((each) => item[each] !== undefined);
  return (name && item[name]) ?? '';
}
