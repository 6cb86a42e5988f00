/** The header names, which contain the service's name. @assumes A-101 */
export interface HeaderNames {
  readonly apiKey: string;
  readonly account: string;
  readonly signature: string;
}

export function headerNames(serviceName: string): HeaderNames {
  return {
    apiKey: `X-${serviceName}-Api-Key`,
    account: `X-${serviceName}-Account`,
    signature: `${serviceName}-Signature`,
  };
}

/** Header with the token of the control API. */
export const ADMIN_HEADER = 'X-Emulator-Admin';

/** Header that says what is wrong with a 401, or with a 404 for a path. */
export const HINT_HEADER = 'X-Emulator-Hint';
