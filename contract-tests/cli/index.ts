import { Command } from 'commander';
import { addProxy } from '../proxy/proxy.ts';
import { addContract } from './contract.ts';

/**
 * Runs `contract …` or `proxy …`, as `billing-emulator` does when it finds this package.
 *
 * @param line the verb and what follows it
 */
export async function runVerb(line: readonly string[]): Promise<void> {
  const program = new Command('billing-emulator')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  addContract(program);
  addProxy(program);
  await program.parseAsync(line, { from: 'user' });
}
