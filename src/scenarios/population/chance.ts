import type { Faker } from '@faker-js/faker';

/**
 * Reproducible random values. The same seed and place give the same values, independent of other places. All
 * numbers are whole, so that rounding is the same on every machine.
 */
export interface Chance {
  /** Returns the values of one place, such as a customer and a day. */
  at(...place: readonly number[]): Chance;
  /** A whole number between both ends, which are included. */
  whole(least: number, most: number): number;
  /** Returns true in this percentage of cases. */
  happens(percent: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** A random index, by weights. */
  weighted(weights: readonly number[]): number;
  uuid(): string;
  company(): string;
  country(): string;
  phrase(): string;
}

/** A fixed day, which replaces the present day in generated values. */
const REFERENCE_DAY = '2026-01-01T00:00:00.000Z';

/** Loads the library of names on first use, because nothing else needs it. */
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
