import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../emulator.ts';
import { FixtureError, parseFixture } from './read.ts';
import { describeOutcome, runFixture } from './run-fixture.ts';

/** Common mistakes in fixtures, applied to those of the library. */
const LIBRARY = new URL('../../fixtures/', import.meta.url);
const texts = readdirSync(LIBRARY)
  .filter((file) => file.endsWith('.yaml') && file !== 'duplicate-storm.yaml')
  .map((file) => readFileSync(new URL(file, LIBRARY), 'utf8'));

const mistake = fc.oneof(
  fc.record({ kind: fc.constant('drop' as const), line: fc.nat() }),
  fc.record({ kind: fc.constant('repeat' as const), line: fc.nat() }),
  fc.record({ kind: fc.constant('indent' as const), line: fc.nat() }),
  fc.record({ kind: fc.constant('cut' as const), line: fc.nat() }),
  fc.record({
    kind: fc.constant('value' as const),
    line: fc.nat(),
    value: fc.constantFrom('', '~', '-1', '[]', '{}', '"', '$acme', '$now-', 'x: y', '1e999', '&a'),
  }),
);

function spoil(text: string, how: Readonly<{ kind: string; line: number; value?: string }>) {
  const lines = text.split('\n');
  const at = how.line % lines.length;
  const line = lines[at] as string;
  const edits: Readonly<Record<string, () => unknown>> = {
    drop: () => lines.splice(at, 1),
    repeat: () => lines.splice(at, 0, line),
    indent: () => lines.splice(at, 1, ` ${line}`),
    cut: () => lines.splice(at + 1),
    value: () => lines.splice(at, 1, line.replace(/:.*$/, `: ${how.value}`)),
  };
  edits[how.kind]?.();
  return lines.join('\n');
}

const LINE = /^f\.yaml:\d+:\d+: \S/;

describe('a fixture with a random mistake', () => {
  it('runs or is rejected with file, line and column, without a status of 500', async () => {
    const settings = { clock: 'frozen', clock_now: '2026-01-15T12:00:00Z', log_level: 'silent' };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), mistake, async (text, how) => {
        try {
          const fixture = parseFixture(spoil(text, how), 'f.yaml');
          const emulator = createEmulator({ settings: { ...settings, fixture: '' } });
          const world = emulator.worlds.find('key_test_emulator');
          if (!world) throw new Error('There is no world.');
          const outcomes = await runFixture(fixture, emulator.targetOf(world));
          await emulator.close();
          for (const outcome of outcomes)
            for (const line of describeOutcome(fixture, outcome)) {
              expect(line).toMatch(LINE);
              expect(line).not.toMatch(/got 5\d\d/);
            }
        } catch (error) {
          if (!(error instanceof FixtureError)) throw error;
          for (const line of error.message.split('\n')) expect(line).toMatch(LINE);
        }
      }),
      { numRuns: 150, seed: 7 },
    );
  }, 120_000);
});
