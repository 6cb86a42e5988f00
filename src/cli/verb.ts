import type { Command, Option } from 'commander';
import {
  type Client,
  type ClientAnswer,
  type ClientRequest,
  createClient,
} from '../client/index.ts';
import type { AnyOperationId } from '../spec/operations.ts';
import { DEFAULT_SANDBOX } from '../state/worlds.ts';
import { nearest } from '../text/nearest.ts';
import { EXIT } from './exit-codes.ts';
import { type FieldFlags, type Flags, fieldsOf, flag } from './flags.ts';
import { print } from './print.ts';

export interface VerbInput {
  /** In their order; undefined where an optional one is left out. */
  readonly args: readonly string[];
  readonly flags: Flags;
}

/** What a verb prints, and the exit code where it is not 0. */
export interface VerbOutput {
  /** JSON text. */
  readonly json: string;
  readonly text: string;
  readonly exitCode?: number;
}

/** Work on a world of a running emulator. Errors are printed by `reportFailure`. */
export interface Verb {
  /** Name and arguments, such as `set <moment>`. */
  readonly usage: string;
  readonly about: string;
  /** Whether it is what its group does without the name of a verb. */
  readonly isDefault?: boolean;
  readonly flags?: readonly Option[];
  run(client: Client, input: VerbInput): Promise<VerbOutput | undefined>;
}

export interface VerbGroup {
  readonly usage: string;
  readonly about: string;
  readonly verbs: Verbs;
}

/** Verbs, groups of them, and what adds a command that asks no running emulator. */
export type Verbs = readonly (Verb | VerbGroup | ((parent: Command) => void))[];

/** Which emulator, and which of its worlds. */
export const WORLD_FLAGS: readonly Option[] = [
  flag('--url <url>', 'URL of the emulator', {
    env: 'BILLING_EMULATOR_URL',
    preset: 'http://127.0.0.1:24100',
  }),
  flag('--key <key>', 'Key of the world', {
    env: 'BILLING_EMULATOR_KEY',
    preset: `key_test_${DEFAULT_SANDBOX}`,
  }),
  flag('--token <token>', 'Token for the control API, if one is set', {
    env: 'BILLING_EMULATOR_ADMIN_TOKEN',
  }),
];

export function addVerbs(parent: Command, verbs: Verbs): void {
  for (const verb of verbs) {
    if (typeof verb === 'function') verb(parent);
    else if ('run' in verb) addVerb(parent, verb);
    else addVerbs(parent.command(verb.usage).description(verb.about), verb.verbs);
  }
}

function addVerb(parent: Command, { usage, about, isDefault = false, flags = [], run }: Verb) {
  const command = parent.command(usage, { isDefault }).description(about);
  for (const option of [...flags, ...WORLD_FLAGS]) command.addOption(option);
  command.option('--json', 'Print the response as JSON');
  if (isDefault) refuseUnknownVerbs(parent, command);
  command.action(async () => {
    const given = command.opts<{ url: string; key: string; token?: string; json?: boolean }>();
    const input = { args: command.processedArgs, flags: { ...given } };
    const output = await run(createClient(given), input);
    if (!output) return;
    print(given.json ? output.json : output.text);
    process.exitCode = output.exitCode ?? 0;
  });
}

/** A misspelt verb would be an argument of the default one, which takes none. */
function refuseUnknownVerbs(group: Command, command: Command): void {
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

interface CallVerb<Id extends AnyOperationId> extends Omit<Verb, 'run'> {
  /** Flags that fill fields of the query or the body. */
  readonly query?: FieldFlags<ClientRequest<Id>['query']>;
  readonly body?: FieldFlags<Exclude<ClientRequest<Id>['body'], string>>;
  /** The rest of the request; fields that are undefined are left out. */
  request?(input: VerbInput): {
    readonly path?: Loose<ClientRequest<Id>['path']>;
    readonly query?: Loose<ClientRequest<Id>['query']>;
    readonly body?: Loose<Exclude<ClientRequest<Id>['body'], string>> | string;
  };
  /** What is done before the operation is called, or after it was answered. */
  before?(client: Client, input: VerbInput): Promise<unknown> | undefined;
  after?(client: Client, input: VerbInput): Promise<unknown> | undefined;
  /** The answer for a person. */
  text(answer: ClientAnswer<Id>, input: VerbInput): string;
  /** What `--json` prints where that is not the answer as it came. */
  json?(input: VerbInput): object;
  exitCode?(answer: ClientAnswer<Id>): number;
}

/** A verb that calls one operation and prints its answer. */
export function callVerb<Id extends AnyOperationId>(id: Id, parts: CallVerb<Id>): Verb {
  const { query, body, request, before, after, text, json, exitCode, flags = [], ...verb } = parts;
  const options = [query, body].flatMap((fields) => Object.values(fields ?? {}) as Option[]);
  return {
    ...verb,
    flags: [...flags, ...options],
    async run(client, input) {
      await before?.(client, input);
      const own = request?.(input);
      const answer = await client.read(id, {
        path: own?.path,
        query: { ...fieldsOf(query, input.flags), ...own?.query },
        body: bodyOf(body && fieldsOf(body, input.flags), own?.body),
      } as ClientRequest<Id>);
      await after?.(client, input);
      const value = (answer === '' ? undefined : JSON.parse(answer)) as ClientAnswer<Id>;
      return {
        json: json ? JSON.stringify(json(input)) : answer || '{}',
        text: text(value, input),
        exitCode: exitCode?.(value) ?? 0,
      };
    },
  };
}

function bodyOf(fields: object | undefined, own: object | string | undefined) {
  return typeof own === 'string' ? own : (fields || own) && { ...fields, ...own };
}
