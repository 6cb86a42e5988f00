/**
 * Shape mutants that no check can detect, with the reason. The self-test fails when a listed mutant is detected, or
 * when an undetected one is not listed.
 */
export const UNNOTICED: Readonly<Record<string, string>> = {
  'getAccountContext 404 answers 410 for 404': 'a valid key always belongs to an account',
  'getAccountContext 404 gives 404 a body': 'a valid key always belongs to an account',
};
