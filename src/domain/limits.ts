/** What bounds requests, their log and worlds. No setting changes these; tests lower them through `createEmulator`. */
export const LIMITS = {
  /** Open sandboxes. One more key gets 503. */
  MAX_SANDBOXES: 10_000,
  /** Due items in one advance. */
  MAX_DUE_ITEMS: 1_000_000,
  /** Requests in the log of a world. */
  MAX_LOGGED_REQUESTS: 500,
  /** Bytes of the request logs of all worlds together. */
  MAX_LOG_BYTES: 67_108_864,
  /** Bytes of a request body. */
  MAX_BODY_BYTES: 1_048_576,
  /** Bytes of a body of `POST /events`, and of a message to an inbox. */
  MAX_EVENTS_BODY_BYTES: 8_388_608,
  /** Bytes of an import: as many as an export can have. */
  MAX_IMPORT_BYTES: 1_073_741_824,
  /** Usage events in one request. */
  MAX_BATCH: 1_000,
} as const;

export type LimitName = keyof typeof LIMITS;
export type Limits = Readonly<Record<LimitName, number>>;
