import type { Command } from 'commander';
import { addServingFlags, forward, type ServingFlags, type TrafficObserver } from './serving.ts';

interface Flags extends ServingFlags {
  readonly record?: string;
  readonly expect?: boolean;
  readonly redactCustomers?: boolean;
}

/** `billing-emulator proxy`: forwards requests to a service and reports violations of the interface document. */
export function addProxy(program: Command): void {
  addServingFlags(program.command('proxy'), 24_101)
    .description(
      'Proxy requests to a service until stopped, and print what breaks its specification',
    )
    .option('--record <file>', 'Write the traffic as a fixture in YAML or JSON when stopped')
    .option('--expect', 'Let the fixture expect the stable parts of each response')
    .option(
      '--redact-customers',
      'Replace the names and e-mail addresses of customers in the fixture',
    )
    .action(proxy);
}

async function proxy(flags: Flags): Promise<void> {
  const { DocumentObserver } = await import('./document/document-observer.ts');
  await forward(flags, [...(await recorderFor(flags)), new DocumentObserver()]);
}

async function recorderFor(flags: Flags): Promise<readonly TrafficObserver[]> {
  const { record: file, expect = false, redactCustomers = false } = flags;
  if (file === undefined) return [];
  const { createRecorder } = await import('./recorder/record.ts');
  return [createRecorder({ file, expect, redactCustomers })];
}
