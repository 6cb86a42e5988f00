import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PACKAGE = 'billing-emulator-contract';

class ContractKitMissing extends Error {
  override readonly name = 'ContractKitMissing';

  /** @param wish what needs it, as the user asked for it */
  constructor(wish: string) {
    super(
      `${wish} needs the package ${PACKAGE}. It is not on a registry: run \`npm pack --workspace ${PACKAGE}\` in a clone and install the file.`,
    );
  }
}

/**
 * Imports the contract kit, from beside the emulator or from the working folder.
 *
 * @throws ContractKitMissing where it is not installed
 */
export async function importContractKit<T>(wish: string): Promise<T> {
  try {
    return (await import(PACKAGE).catch(importFromFolder)) as T;
  } catch (error) {
    throw isMissing(error) ? new ContractKitMissing(wish) : error;
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
