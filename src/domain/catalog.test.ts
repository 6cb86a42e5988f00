import { describe, expect, it } from 'vitest';
import {
  archive,
  type CatalogVersion,
  defaultAfterArchiving,
  defaultAfterChange,
  publish,
  resolveVersion,
} from './catalog.ts';
import type { Instant } from './instant.ts';

const at = '2026-01-15T12:00:00.000Z' as Instant;
const draft = (version: number): CatalogVersion => ({ version, status: 'draft' });
const published = (version: number): CatalogVersion => ({ version, status: 'published' });
const archived = (version: number): CatalogVersion => ({ version, status: 'archived' });

describe('resolveVersion', () => {
  it.each([
    ['default', 3],
    ['2', 2],
    [2, 2],
    ['32767', 32767],
  ])('resolves %s to %s', (reference, number) => {
    expect(resolveVersion(3, reference)).toBe(number);
  });

  it.each(['Default', '0', '01', '-1', '1.5', '1e1', '', ' 1', '100000'])(
    'returns undefined for the invalid version "%s"',
    (text) => {
      expect(resolveVersion(3, text)).toBeUndefined();
    },
  );

  it('returns undefined for "default" if no version is the default', () => {
    expect(resolveVersion(undefined, 'default')).toBeUndefined();
  });
});

describe('publish and archive', () => {
  it('set the status and the time of the change', () => {
    expect(publish(draft(1), at)).toEqual({ version: 1, status: 'published', published_at: at });
    expect(archive(published(1), at)).toEqual({ version: 1, status: 'archived', archived_at: at });
  });

  it('keep the time at which a version was first archived', () => {
    const earlier = { ...archived(1), archived_at: '2026-01-01T00:00:00.000Z' };

    expect(archive(earlier, at)).toBe(earlier);
  });
});

describe('defaultAfterChange', () => {
  it.each([
    {
      of: 'a published version beside a published default',
      all: [published(1)],
      change: published(2),
      to: 1,
    },
    {
      of: 'a published version beside a draft default',
      all: [draft(1)],
      change: published(2),
      to: 2,
    },
    { of: 'a draft beside a published default', all: [published(1)], change: draft(2), to: 1 },
    { of: 'a draft beside a draft default', all: [draft(1)], change: draft(2), to: 1 },
  ])('is $to after $of', ({ all, change, to }) => {
    expect(defaultAfterChange([...all, change], 1, change, false)).toBe(to);
  });

  it('is a newly published version if there was no default', () => {
    const change = published(2);

    expect(defaultAfterChange([archived(1), change], undefined, change, false)).toBe(2);
  });

  it('is undefined when a draft is added and there was no default', () => {
    expect(defaultAfterChange([archived(1), draft(2)], undefined, draft(2), false)).toBeUndefined();
  });

  it('is the changed version when make_default is requested', () => {
    expect(defaultAfterChange([published(1), published(2)], 1, published(2), true)).toBe(2);
  });
});

describe('defaultAfterArchiving', () => {
  it('is the newest published version when the default is archived, even if a draft is newer', () => {
    const versions = [published(1), archived(2), published(3), draft(4)];

    expect(defaultAfterArchiving(versions, 2)).toBe(3);
  });

  it('does not change when another version is archived', () => {
    expect(defaultAfterArchiving([published(1), published(2), archived(3)], 1)).toBe(1);
  });

  it('is undefined when no published version remains', () => {
    expect(defaultAfterArchiving([archived(1), draft(2)], 1)).toBeUndefined();
  });
});
