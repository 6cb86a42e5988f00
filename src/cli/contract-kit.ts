import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { CommandError, EXIT } from './failure.ts';

const COMMANDS = {
  contract: 'Check an emulator or a live service against the specification',
  proxy: 'Proxy requests to a service until stopped, and print what breaks its specification',
  twin: 'Proxy requests to a service until stopped, and print where the emulator differs',
  webhooks: 'Check a receiver of webhooks',
};

interface ContractKit {
  runCommand(line: readonly string[]): Promise<void>;
}

/** `billing-emulator contract`, `proxy`, `twin` and `webhooks`. The package of the contract suite implements them. */
export function addContractKit(program: Command): void {
  for (const [command, description] of Object.entries(COMMANDS))
    program
      .command(`${command} [words...]`)
      .description(description)
      .helpOption(false)
      .allowUnknownOption()
      .passThroughOptions()
      .action((words: readonly string[]) => runCommand([command, ...words]));
}

async function runCommand(line: readonly string[]): Promise<void> {
  const kit = await importContractKit(`billing-emulator ${line[0]}`);
  await kit.runCommand(line);
}

const PACKAGE = 'billing-emulator-contract';

/**
 * Imports the contract suite, from beside the emulator or from the working folder.
 *
 * @param purpose what needs it, as the user asked for it
 * @throws CommandError where it is not installed
 */
async function importContractKit(purpose: string): Promise<ContractKit> {
  try {
    return (await import(PACKAGE).catch(importFromFolder)) as ContractKit;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new CommandError(
      `${purpose} needs the package ${PACKAGE}. It is not on a registry: run \`npm pack --workspace ${PACKAGE}\` in a clone and install the file.`,
      EXIT.configuration,
    );
  }
}

/** A global installation or npx uses the kit installed in the project. */
function importFromFolder(error: unknown): Promise<unknown> {
  if (!isMissing(error)) throw error;
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  return import(pathToFileURL(resolve(PACKAGE)).href);
}

function isMissing(error: unknown): boolean {
  const { code = '', message = '' } = error as NodeJS.ErrnoException;
  return /MODULE_NOT_FOUND/.test(code) && message.includes(PACKAGE);
}
