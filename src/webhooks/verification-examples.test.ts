import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * Runs the examples in other languages over the test vectors, if the language is installed. Prints which were
 * not run.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TSX = fileURLToPath(import.meta.resolve('tsx'));

const EXAMPLES = [
  { file: 'verify.ts', tool: 'node', version: '--version', run: ['--import', TSX] },
  { file: 'verify.py', tool: 'python3', version: '--version', run: [] },
  { file: 'verify.go', tool: 'go', version: 'version', run: ['run'] },
  { file: 'verify.rb', tool: 'ruby', version: '--version', run: [] },
  { file: 'verify.php', tool: 'php', version: '--version', run: [] },
  { file: 'Verify.java', tool: 'java', version: '--version', run: [] },
];

const { vectors } = JSON.parse(
  readFileSync(new URL('../../spec/webhook-vectors.json', import.meta.url), 'utf8'),
) as { readonly vectors: readonly { readonly name: string; readonly reason: string | null }[] };
const EXPECTED = vectors.map(({ name, reason }) => `${name} ${reason ?? 'valid'}`);

function run(tool: string, args: readonly string[]) {
  const { error, status, stdout, stderr } = spawnSync(tool, args, { cwd: ROOT, encoding: 'utf8' });
  return { present: error === undefined, status, stdout, stderr };
}

describe('verification examples', () => {
  it('return the expected result for every test vector in each installed language', () => {
    const outcomes = EXAMPLES.map(({ file, tool, version, run: args }) => {
      const found = run(tool, [version]);
      const label = found.present && found.status === 0 ? found.stdout.split('\n')[0] : undefined;
      if (label === undefined) return { file, tool: `${tool} is not here`, outcome: 'not tried' };
      const { status, stdout, stderr } = run(tool, [...args, `spec/verification/${file}`]);
      const isRight = status === 0 && stdout.trim().split('\n').join() === EXPECTED.join();
      const outcome = isRight ? 'right' : `wrong: exit ${status}\n${stdout}\n${stderr}`;
      return { file, tool: label, outcome };
    });
    console.table(outcomes);

    expect(outcomes.filter(({ outcome }) => !['right', 'not tried'].includes(outcome))).toEqual([]);
    expect(outcomes[0]?.outcome).toBe('right');
  }, 180_000);

  it('appear in webhook-verification.md exactly as in their files', () => {
    const guide = readFileSync(
      new URL('../../spec/webhook-verification.md', import.meta.url),
      'utf8',
    );
    const functions = EXAMPLES.map(({ file }) => {
      const text = readFileSync(
        new URL(`../../spec/verification/${file}`, import.meta.url),
        'utf8',
      );
      const [shown = ''] = text.split(/\n.*--- What follows/);
      return shown.slice(shown.search(/tolerance/i)).trim();
    });

    for (const shown of functions) expect(guide).toContain(shown);
  });
});
