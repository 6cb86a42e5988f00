import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEmulator } from '../emulator.ts';
import { watched } from '../testing/watched.ts';
import { parseFixture } from './read.ts';
import { describeOutcome, runFixture } from './run-fixture.ts';
import type { ScenarioTarget } from './scenario-target.ts';

/** Checks that every fixture of the library does what it documents. */
const LIBRARY = new URL('../../fixtures/', import.meta.url);
const files = readdirSync(LIBRARY).filter((file) => file.endsWith('.yaml'));
const textOf = (file: string) => readFileSync(new URL(file, LIBRARY), 'utf8');

const settings = { fixture: '', clock: 'frozen', clock_now: '2026-01-15T12:00:00Z' };

function openWorld(emulator = createEmulator({ settings }), key = 'key_test_emulator') {
  const world = emulator.worlds.find(key);
  if (!world) throw new Error(`${key} opens no world.`);
  return emulator.targetOf(world);
}

async function problemsOf(text: string, file: string, target = openWorld()) {
  const fixture = parseFixture(text, file);
  const outcomes = await runFixture(fixture, target);
  return outcomes.flatMap((outcome) => describeOutcome(fixture, outcome));
}

/** A target that records every response. */
function recorded(target: ScenarioTarget) {
  const answers: string[] = [];
  const recording = watched(target, (_, reply) => answers.push(JSON.stringify(reply)));
  return { answers, recording };
}

/** Complete fixtures in the documentation. */
const DOCS = new URL('../../docs/', import.meta.url);
const shown = readdirSync(DOCS)
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) =>
    [...readFileSync(new URL(file, DOCS), 'utf8').matchAll(/```yaml\n(about: [\s\S]*?)```/g)].map(
      ([, text]) => [file, text as string] as const,
    ),
  );

describe('the documentation', () => {
  it.each(shown)('shows a fixture in %s whose expectations hold', async (file, text) => {
    expect(await problemsOf(text, file)).toEqual([]);
  });
});

const noisy = parseFixture(textOf('quickstart.yaml'), 'quickstart.yaml');

describe.each(files)('%s', (file) => {
  const text = textOf(file);
  const { scenario } = parseFixture(text, file);

  it('documents its contents and purpose, and refers to the schema', () => {
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../spec/fixture.schema.json');
    expect(scenario.about).toMatch(/\w.*\.$/);
    expect([scenario.teaches].flat().join(' ')).toMatch(/\w.*\.$/);
    expect(scenario.steps.some((step) => typeof step.expect === 'object')).toBe(true);
  });

  it('meets all its expectations', async () => {
    expect(await problemsOf(text, file)).toEqual([]);
  });

  it('reports a wrong expected balance at its line', async () => {
    const lines = text.split('\n');
    const index = lines.findIndex((line) => /\baccounts: \{[A-Z]+: |^ +[A-Z]{3,}: \d/.test(line));
    if (index < 0) return;
    lines[index] = (lines[index] as string).replace(/([A-Z]{3,}: )-?[\d.]+/, '$1123456');
    const [problem] = await problemsOf(lines.join('\n'), file);

    expect(problem).toContain(`${file}:${index + 1}:`);
    expect(problem).toContain('expected 123456 available');
  });

  it('gets the same responses byte for byte, alone and beside 20 busy sandboxes', async () => {
    const fixture = parseFixture(text, file);
    const alone = recorded(openWorld());
    await runFixture(fixture, alone.recording);
    const emulator = createEmulator({ settings });
    const noise = Array.from({ length: 20 }, (_, index) =>
      runFixture(noisy, openWorld(emulator, `key_test_noise-${index}`)),
    );
    const beside = recorded(openWorld(emulator));
    await Promise.all([...noise, runFixture(fixture, beside.recording)]);

    expect(beside.answers.length).toBeGreaterThan(3);
    expect(beside.answers).toEqual(alone.answers);
  });
});
