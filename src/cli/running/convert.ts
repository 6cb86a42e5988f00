import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { renewBodies } from '../../fixtures/former-expectations.ts';
import { judgeFixture } from '../../spec/fixture-schema.ts';
import { yaml } from '../../text/yaml.ts';
import { EXIT } from '../exit-codes.ts';
import { print } from '../print.ts';

/** `billing-emulator convert`: rewrites the responses that fixtures of release 0.1.0 expect. */
export function addConvert(program: Command): void {
  program
    .command('convert')
    .description(
      'Convert the expectations of fixtures from release 0.1.0; data files and exports convert themselves',
    )
    .argument('<file...>', 'fixtures; each original is kept as FILE.original')
    .option('--json', 'Print what was done as JSON')
    .action((files: readonly string[], { json = false }: { readonly json?: boolean }) => {
      const done = files.map((file) => ({ file, done: convert(file) }));
      if (json) print(JSON.stringify(done));
      else for (const each of done) print(`${each.file}: ${each.done}`);
    });
}

/** Rewrites one file and keeps comments and order. Returns a report. */
function convert(file: string): string {
  const text = readFileSync(file, 'utf8');
  const document = yaml().parseDocument(text);
  const [broken] = document.errors;
  const [misshapen] = broken ? [] : judgeFixture(document.toJS());
  if (broken || misshapen) {
    process.exitCode = EXIT.failure;
    return `not a fixture: ${broken?.message ?? misshapen?.message}`;
  }
  const renewed = renewBodies(document.toJS());
  if (renewed.length === 0) return 'nothing to convert';
  for (const { place, body } of renewed)
    document.setIn(place, document.createNode(body, { flow: true }));
  writeFileSync(`${file}.original`, text, { flag: 'wx' });
  writeFileSync(file, document.toString({ lineWidth: 0 }));
  const gone = renewed.flatMap(({ place, gone: names }) =>
    names.map(
      (name) => `\n  ${place.join('.')}: ${name} is no longer returned, so no longer expected`,
    ),
  );
  return `${renewed.length} expectations rewritten${gone.join('')}`;
}
