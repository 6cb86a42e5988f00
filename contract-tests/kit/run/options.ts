import { readFileSync } from 'node:fs';
import type { Effect } from 'billing-emulator/spec';

export const PROFILES = ['quick', 'safe', 'full', 'certify', 'nightly-live'] as const;
export type Profile = (typeof PROFILES)[number];

/** An option, file or variable is not usable. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** The requested run is not allowed on this target. */
export class SafetyRefusal extends Error {
  override readonly name = 'SafetyRefusal';
}

interface ProfileTraits {
  /** The highest effect class that it uses, even when more is allowed. */
  readonly cap: Effect;
  readonly only: readonly string[];
  readonly repeats: number;
  readonly allowsBaseline: boolean;
}

export const PROFILE_TRAITS: Readonly<Record<Profile, ProfileTraits>> = {
  quick: {
    cap: 'E0',
    only: ['ACC-01', 'X-01', 'X-11', 'X-16'],
    repeats: 1,
    allowsBaseline: true,
  },
  safe: { cap: 'E1', only: [], repeats: 1, allowsBaseline: true },
  full: { cap: 'E4', only: [], repeats: 1, allowsBaseline: true },
  certify: { cap: 'E4', only: [], repeats: 3, allowsBaseline: false },
  'nightly-live': { cap: 'E2', only: [], repeats: 1, allowsBaseline: true },
};

/** Reads and parses a file that the user named. @throws ConfigurationError when it cannot be read */
export function readFileAs<T>(file: string, parse: (text: string) => T): T {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigurationError(`${file}: ${(error as Error).message}`);
  }
}

export const freshRunId = (): string => Date.now().toString(36);
