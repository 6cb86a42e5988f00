import { _, type Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { SCHEMA_SETS, type SchemaSetName } from '../../src/spec/compiler.ts';
import { DIST, ROOT } from './places.ts';

/** Compiles every schema to code: one file per set, which exports the compiled schemas by name. */
export async function buildSchemas(): Promise<void> {
  for (const name of Object.keys(SCHEMA_SETS) as SchemaSetName[])
    await build({
      stdin: { contents: codeOf(name), resolveDir: ROOT },
      outfile: `${DIST}spec/${name}.schemas.cjs`,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      minify: true,
      target: 'node20',
    });
}

/** Code that receives the formats as an argument, so that it does not include their dependencies. */
function codeOf(name: SchemaSetName): string {
  const code = { source: true, optimize: 1, formats: _`formats` };
  const { ajv: compiler, schemas } = SCHEMA_SETS[name]({ code });
  const ajv = compiler as Ajv;
  const exported: Record<string, string> = {};
  for (const [index, [schemaName, schema]] of [...schemas].entries()) {
    ajv.addSchema(schema, `schema${index}`);
    exported[schemaName] = `schema${index}`;
  }
  const compiled = standalone.default(ajv, exported);
  return `module.exports = (function (formats) { const exports = {}; ${compiled}; return exports; });`;
}
