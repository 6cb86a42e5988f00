/** Refusals without a body. Broken rules are `RuleViolation`s of the domain instead. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: 404 | 409,
    message: string,
    /** What the body says; there is none without it. */
    readonly detail?: string,
  ) {
    super(message);
  }
}

/** Refuses a request for something that is not there. */
export function notFound(): never {
  throw new Refusal(404, 'Not found.');
}

/** Refuses a change that the thing's present condition forbids; only the control interface says why. */
export function conflict(detail?: string): never {
  throw new Refusal(409, 'Conflict.', detail);
}

/** A request that cannot be understood, for a reason that only the handler sees. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
