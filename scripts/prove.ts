import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build, RUNNING } from './build/parts.ts';

/**
 * `npm run prove -- NAME …`: runs a proof, which takes too long for the suite, as a separate command. The rest of the
 * line is passed on to it.
 */
const PROOFS: Readonly<Record<string, string>> = {
  arrivals: 'prove/arrivals.ts',
  clients: 'prove/clients.sh',
  generators: 'prove/generators.ts',
  https: 'prove/https.sh',
  image: 'image.sh',
  oracle: 'prove/oracle.ts',
  package: 'package.sh',
  postgresql: 'prove/postgresql.ts',
  several: 'prove/several.ts',
  twin: 'prove/twin.ts',
  soak: 'prove/soak.ts',
  schemathesis: 'prove/schemathesis.sh',
};

const [name = '', ...rest] = process.argv.slice(2);
const file = PROOFS[name];
if (file === undefined) {
  process.stderr.write(`Expected one of ${Object.keys(PROOFS).join(', ')}; got "${name}".\n`);
  process.exit(2);
}
// Several proofs start the command.
await build(RUNNING);
const path = fileURLToPath(new URL(file, import.meta.url));
const [command, ...first] = file.endsWith('.sh')
  ? ['bash', path]
  : ['npx', 'tsx', '--conditions=billing-emulator-source', path];
process.exit(spawnSync(command as string, [...first, ...rest], { stdio: 'inherit' }).status ?? 1);
