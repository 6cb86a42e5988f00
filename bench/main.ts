/** `npm run bench -- [NAME] [--write]`: runs a benchmark. `--write` also replaces its table in bench/README.md. */
const BENCHES: Readonly<Record<string, string>> = {
  servers: 'compare.ts',
  peers: 'compare.ts',
  stores: 'compare.ts',
  start: 'start-up.ts',
  growth: 'growth.ts',
  waits: 'waits.ts',
  memory: 'usage-memory.ts',
  pages: 'inspector.ts',
  webhooks: 'webhooks.ts',
  several: 'servers/several.ts',
};

const [name = 'servers'] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const file = BENCHES[name];
if (file === undefined) {
  process.stderr.write(`Expected one of ${Object.keys(BENCHES).join(', ')}; got "${name}".\n`);
  process.exit(2);
}
await import(new URL(file, import.meta.url).href);
