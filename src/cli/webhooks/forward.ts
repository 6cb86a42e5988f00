/** The outcome of a forwarded delivery: a response, or the reason there is none. */
export interface ForwardedAnswer {
  readonly status_code: number | null;
  readonly text: string;
  readonly error: string | null;
  readonly duration_ms: number;
}

/** Shorter than the timeout of deliveries, so that they receive the reason. @units milliseconds */
const TIMEOUT = 14_000;

/** Sends a delivery to a receiver, with its headers and bytes unchanged. Never throws. */
export async function forward(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<ForwardedAnswer> {
  const start = performance.now();
  const ended = (answer: Omit<ForwardedAnswer, 'duration_ms'>): ForwardedAnswer => ({
    ...answer,
    duration_ms: Math.round(performance.now() - start),
  });
  try {
    const response = await fetch(url, {
      ...{ method: 'POST', headers, body, redirect: 'manual' },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return ended({ status_code: response.status, text: await response.text(), error: null });
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    return ended({ status_code: null, text: '', error: reason });
  }
}
