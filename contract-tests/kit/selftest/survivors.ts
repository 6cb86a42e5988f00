/**
 * Shape mutants that no check can notice, each with the reason. One that is noticed after all must leave the
 * list, and one that is not listed fails the self-test.
 */
export const UNNOTICED: Readonly<Record<string, string>> = {
  'getAccountContext 404 answers 410 for 404': 'a valid key always belongs to an account',
  'getAccountContext 404 gives 404 a body': 'a valid key always belongs to an account',
};

/** Checks that no mutant of a target can turn red, by id, each with the reason. */
export const BEYOND_MUTANTS: Readonly<Record<string, string>> = {
  'WHK-35': 'it looks at the verifier of signatures in this suite, not at the target',
};
