import type { Faker } from '@faker-js/faker';

/**
 * Chance that repeats: the same seed and the same place give the same draws, whatever was drawn elsewhere.
 * Only whole numbers are drawn, so that no machine rounds differently.
 */
export interface Chance {
  /** Draws for one place from now on, such as a customer and a day. */
  at(...place: readonly number[]): Chance;
  /** A whole number, both ends included. */
  whole(least: number, most: number): number;
  /** Whether something happens that happens so often in a hundred. */
  happens(percent: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** The index of one of some weights. */
  weighted(weights: readonly number[]): number;
  uuid(): string;
  company(): string;
  country(): string;
  phrase(): string;
}

/** A fixed day for everything that would else look at the calendar. */
const REFERENCE_DAY = '2026-01-01T00:00:00.000Z';

/** Loads the library of names on first use, as nothing else needs it. */
export async function openChance(seed: number): Promise<Chance> {
  const { base, en, Faker: Library } = await import('@faker-js/faker');
  const faker = new Library({ locale: [en, base] });
  faker.setDefaultRefDate(REFERENCE_DAY);
  return chanceOf(faker, seed);
}

function chanceOf(faker: Faker, seed: number): Chance {
  const whole = (least: number, most: number) => faker.number.int({ min: least, max: most });
  const chance: Chance = {
    at(...place) {
      faker.seed([seed, ...place]);
      return chance;
    },
    whole,
    happens: (percent) => whole(1, 100) <= percent,
    pick: (choices) => choices[whole(0, choices.length - 1)] as (typeof choices)[number],
    weighted(weights) {
      let draw = whole(
        1,
        weights.reduce((sum, weight) => sum + weight, 0),
      );
      return weights.findIndex((weight) => {
        draw -= weight;
        return draw <= 0;
      });
    },
    uuid: () => faker.string.uuid(),
    company: () => faker.company.name(),
    country: () => faker.location.countryCode(),
    phrase: () => faker.hacker.noun(),
  };
  return chance;
}
