import { Command } from 'commander';
import { addProxy } from '../forwarder/proxy.ts';
import { addTwin } from '../forwarder/twin.ts';
import { addContract } from './contract.ts';
import { addWebhooks } from './webhooks.ts';

/**
 * Runs `contract …`, `proxy …`, `twin …` or `webhooks …`, as `billing-emulator` does when it finds this package.
 *
 * @param line the command and what follows it
 */
export async function runCommand(line: readonly string[]): Promise<void> {
  const program = new Command('billing-emulator')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  addContract(program);
  addProxy(program);
  addTwin(program);
  addWebhooks(program);
  await program.parseAsync(line, { from: 'user' });
}
