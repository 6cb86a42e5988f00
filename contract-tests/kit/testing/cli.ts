import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ENTRY = `
import { Command } from 'commander';
import { addContract } from './src/cli/contract/contract.ts';
const program = new Command('billing-emulator')
  .enablePositionalOptions()
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
addContract(program);
await program.parseAsync(['node', 'billing-emulator', 'contract', ...process.argv.slice(1)]);
`;

export interface CliResult {
  readonly code: number | null;
  readonly output: string;
}

/** Runs `billing-emulator contract` as a process of its own, as a user would. */
export function runCli(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  return startCli(args, variables).ended;
}

/** The same, left running. */
export function startCli(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): { readonly child: ChildProcess; readonly ended: Promise<CliResult> } {
  const line = ['--import', 'tsx', '--input-type=module', '-e', ENTRY, '--', ...args];
  const { VITEST: _, VITEST_POOL_ID: __, NODE_ENV: ___, ...inherited } = process.env;
  const child = spawn(process.execPath, line, { cwd: ROOT, env: { ...inherited, ...variables } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = new Promise<CliResult>((resolve) =>
    child.on('close', (code) => resolve({ code, output })),
  );
  return { child, ended };
}
