import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isKnownTopic, knownTopics } from './topics.ts';

const RESOURCES = fileURLToPath(new URL('../resources/', import.meta.url));
const ACTIVATED = 'subscription.activated';

const tests = readdirSync(RESOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => readFileSync(`${RESOURCES}${path}`, 'utf8'))
  .join('\n');

const handlers = readdirSync(RESOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(`${RESOURCES}${path}`, 'utf8'))
  .join('\n');

describe('webhook topics', () => {
  it('are known only by their full name', () => {
    expect(isKnownTopic(ACTIVATED)).toBe(true);
    expect(isKnownTopic('subscription')).toBe(false);
    expect(isKnownTopic('*')).toBe(false);
  });

  it.each(knownTopics())('%s is emitted by a handler in resources', (topic) => {
    expect(handlers.includes(`topic: '${topic}'`)).toBe(true);
  });

  it.each(knownTopics())('%s is named in a test of resources', (topic) => {
    expect(tests.includes(`'${topic}'`)).toBe(true);
  });
});
