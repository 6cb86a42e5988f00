/** Resolves once all changes so far are on disk; undefined if there is nothing to wait for. */
export type Durable = () => Promise<void> | undefined;

/** Delays a response until what it acknowledges is on disk, if there is anything to wait for. */
export function onceDurable<T>(reply: T, durable: Durable): T | Promise<Awaited<T>> {
  if (reply instanceof Promise)
    return reply.then((given) => onceDurable(given, durable) as Awaited<T>);
  const written = durable();
  return written ? written.then(() => reply as Awaited<T>) : reply;
}
