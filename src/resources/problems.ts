/** An error response; it has a body only with a `detail`. Broken business rules throw a `RuleViolation` instead. */
export class Rejection extends Error {
  override readonly name = 'Rejection';

  constructor(
    readonly status: 404 | 409,
    message: string,
    /** The `detail` of the body; without it, there is no body. */
    readonly detail?: string,
  ) {
    super(message);
  }
}

/** Throws the 404 for a missing record. */
export function notFound(): never {
  throw new Rejection(404, 'Not found.');
}

/** Throws the 409 for a change that the current state forbids. Only the control API gives a detail. */
export function conflict(detail?: string): never {
  throw new Rejection(409, 'Conflict.', detail);
}

/** A malformed request that only the handler can detect. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
