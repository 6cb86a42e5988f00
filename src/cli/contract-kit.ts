import type { Command } from 'commander';
import { importContractKit } from '../config/contract-kit.ts';

const VERBS = {
  contract: 'Check an emulator or a live service against the specification',
  proxy: 'Proxy requests to a service until stopped, and print what breaks its specification',
  twin: 'Proxy requests to a service until stopped, and print where the emulator differs',
  webhooks: 'Check a receiver of webhooks',
};

interface ContractKit {
  runVerb(line: readonly string[]): Promise<void>;
}

/** `billing-emulator contract`, `proxy`, `twin` and `webhooks`. The contract kit's package implements them. */
export function addContractKit(program: Command): void {
  for (const [verb, description] of Object.entries(VERBS))
    program
      .command(`${verb} [words...]`)
      .description(description)
      .helpOption(false)
      .allowUnknownOption()
      .passThroughOptions()
      .action((words: readonly string[]) => runVerb([verb, ...words]));
}

async function runVerb(line: readonly string[]): Promise<void> {
  const kit = await importContractKit<ContractKit>(`billing-emulator ${line[0]}`);
  await kit.runVerb(line);
}
