/** Resolves once all that changed so far is on disk; undefined where nothing has to be waited for. */
export type Durable = () => Promise<void> | undefined;

/** An answer, once what it acknowledges is on disk where that is wanted. */
export function onceDurable<T>(reply: T, durable: Durable): T | Promise<Awaited<T>> {
  if (reply instanceof Promise)
    return reply.then((given) => onceDurable(given, durable) as Awaited<T>);
  const written = durable();
  return written ? written.then(() => reply as Awaited<T>) : reply;
}
