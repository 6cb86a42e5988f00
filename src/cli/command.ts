import type { Command, Option } from 'commander';
import {
  type Client,
  type ClientRequest,
  type ClientResponse,
  createClient,
} from '../client/index.ts';
import { DEFAULT_KEY } from '../config/access.ts';
import type { AnyOperationId } from '../spec/operations.ts';
import { nearest } from '../text/wording.ts';
import { EXIT } from './failure.ts';
import { type Flags, flag, httpUrl } from './flags.ts';
import { print } from './print.ts';

interface CommandInput {
  /** Arguments in order. An omitted optional argument is undefined. */
  readonly args: readonly string[];
  readonly flags: Flags;
}

export interface CommandOutput {
  readonly json: string;
  readonly text: string;
  readonly exitCode?: number;
}

/** A command that works on a world of a running emulator. `reportFailure` prints its errors. */
export interface WorldCommand {
  /** Name and arguments, such as `set <moment>`. */
  readonly usage: string;
  readonly about: string;
  /** Whether the group runs it when no command is named. */
  readonly isDefault?: boolean;
  readonly flags?: readonly Option[];
  run(client: Client, input: CommandInput): Promise<CommandOutput | undefined>;
}

export interface CommandGroup {
  readonly usage: string;
  readonly about: string;
  readonly commands: Commands;
}

/** Commands, groups of commands, and functions that add a command which needs no running emulator. */
export type Commands = readonly (WorldCommand | CommandGroup | ((parent: Command) => void))[];

/** Flags that select the emulator and the world. */
export const WORLD_FLAGS: readonly Option[] = [
  flag('--url <url>', 'URL of the emulator', {
    read: httpUrl,
    env: 'BILLING_EMULATOR_URL',
    preset: 'http://127.0.0.1:24100',
  }),
  flag('--key <key>', 'Key of the world', {
    env: 'BILLING_EMULATOR_KEY',
    preset: DEFAULT_KEY,
  }),
  flag('--token <token>', 'Token for the control API, if one is set', {
    env: 'BILLING_EMULATOR_ADMIN_TOKEN',
  }),
];

export function addCommands(parent: Command, commands: Commands): void {
  for (const command of commands) {
    if (typeof command === 'function') command(parent);
    else if ('run' in command) addCommand(parent, command);
    else addCommands(parent.command(command.usage).description(command.about), command.commands);
  }
}

function addCommand(
  parent: Command,
  { usage, about, isDefault = false, flags = [], run }: WorldCommand,
) {
  const command = parent.command(usage, { isDefault }).description(about);
  for (const option of [...flags, ...WORLD_FLAGS]) command.addOption(option);
  command.option('--json', 'Print the response as JSON');
  if (isDefault) refuseUnknownCommands(parent, command);
  command.action(async () => {
    const given = command.opts<{ url: string; key: string; token?: string; json?: boolean }>();
    const input = { args: command.processedArgs, flags: { ...given } };
    const output = await run(createClient(given), input);
    if (!output) return;
    print(given.json ? output.json : output.text);
    process.exitCode = output.exitCode ?? 0;
  });
}

/** Without this check, a misspelt command becomes an argument of the default command. */
export function refuseUnknownCommands(group: Command, command: Command): void {
  command.allowExcessArguments().hook('preAction', () => {
    const [word] = command.args;
    if (word === undefined) return;
    const near = nearest(
      word,
      group.commands.map((each) => each.name()),
    );
    const hint = near === undefined ? '' : `\n(Did you mean ${near}?)`;
    command.error(`error: unknown command '${word}'${hint}`, { exitCode: EXIT.usage });
  });
}

type Loose<T> = T extends unknown ? { readonly [Field in keyof T]?: unknown } : never;

interface OperationCommand<Id extends AnyOperationId> extends Omit<WorldCommand, 'run'> {
  /** Builds the request. Undefined fields are left out. */
  request?(input: CommandInput): {
    readonly path?: Loose<ClientRequest<Id>['path']>;
    readonly query?: Loose<ClientRequest<Id>['query']>;
    readonly body?: Loose<Exclude<ClientRequest<Id>['body'], string>> | string;
  };
  /** Formats the response as text. */
  text(answer: ClientResponse<Id>): string;
  exitCode?(answer: ClientResponse<Id>): number;
}

/** Creates a command that calls one operation and prints its response. */
export function operationCommand<Id extends AnyOperationId>(
  id: Id,
  { request, text, exitCode, ...command }: OperationCommand<Id>,
): WorldCommand {
  return {
    ...command,
    async run(client, input) {
      const asked: unknown = request?.(input);
      const answer = await client.read(id, asked as ClientRequest<Id>);
      const value = (answer === '' ? undefined : JSON.parse(answer)) as ClientResponse<Id>;
      return { json: answer || '{}', text: text(value), exitCode: exitCode?.(value) ?? 0 };
    },
  };
}
