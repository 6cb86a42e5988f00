import type { Command } from 'commander';
import { textOf } from '../../http/faults/effect-text.ts';
import type { FaultEffect } from '../../http/faults/fault-rule.ts';
import type { FaultReport } from '../../test-controls.ts';
import { EXIT } from '../exit-codes.ts';
import { alignColumns } from '../print.ts';
import { addRemoteFlags, type RemoteFlags, withRemote } from '../remote.ts';
import { readFaultFile } from './fault-file.ts';
import { addFaultFlags, type FaultFlags, faultOf } from './fault-flags.ts';

/** `billing-emulator faults`: what goes wrong on purpose between clients and the service. */
export function addFaults(program: Command): void {
  const faults = program
    .command('faults')
    .description('List, set, add and clear what goes wrong on purpose');
  addList(faults);
  addSet(faults);
  addAdd(faults);
  addClear(faults);
}

function addList(faults: Command): void {
  const command = faults
    .command('list', { isDefault: true })
    .description('List the fault rules, with how many requests each saw and met');
  addRemoteFlags(command).action((flags: RemoteFlags) =>
    withRemote(flags, async (remote) => tell(await remote.call('listFaults'), flags)),
  );
}

function addSet(faults: Command): void {
  const command = faults
    .command('set <file>')
    .description('Put the rules of a file in the place of all others; - reads standard input');
  addRemoteFlags(command).action((file: string, flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      const body = { rules: rulesIn(file, command) };
      tell(await remote.call('setFaults', { body }), flags);
    }),
  );
}

function rulesIn(file: string, command: Command) {
  try {
    return readFaultFile(file);
  } catch (error) {
    return command.error(`error: ${file}: ${(error as Error).message}`, { exitCode: EXIT.usage });
  }
}

function addAdd(faults: Command): void {
  const command = faults.command('add').description('Add a rule behind the others');
  addRemoteFlags(addFaultFlags(command)).action((flags: FaultFlags & RemoteFlags) =>
    withRemote(flags, async (remote) => {
      tell(await remote.call('addFault', { body: faultOf(flags) }), flags);
    }),
  );
}

function addClear(faults: Command): void {
  const command = faults.command('clear').description('Remove all rules');
  addRemoteFlags(command).action((flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      await remote.call('clearFaults');
      tell(await remote.call('listFaults'), flags);
    }),
  );
}

function tell({ enabled, rules }: FaultReport, { json }: RemoteFlags): void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ enabled, rules })}\n`);
    return;
  }
  const rows = rules.map((rule) => [
    String(rule.position),
    rule.name ?? '',
    matchText(rule.match),
    scheduleText(rule),
    textOf(rule as FaultEffect),
    `seen ${rule.seen}, applied ${rule.applied}`,
  ]);
  const none = enabled ? 'No faults.' : 'Faults are switched off.';
  process.stdout.write(rows.length === 0 ? `${none}\n` : `${alignColumns(rows)}\n`);
}

type Rule = FaultReport['rules'][number];

function matchText({ headers, ...plain }: NonNullable<Rule['match']> = {}): string {
  const parts = [
    ...Object.values(plain),
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ];
  return parts.length === 0 ? 'any request' : parts.join(' ');
}

function scheduleText({ skip, times, every, probability }: Rule): string {
  return [
    skip !== undefined && `after ${skip}`,
    every !== undefined && `every ${every}`,
    times !== undefined && `at most ${times}`,
    probability !== undefined && `by chance ${probability}`,
  ]
    .filter((part) => typeof part === 'string')
    .join(', ');
}
