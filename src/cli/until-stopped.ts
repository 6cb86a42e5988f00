/** Resolves on a signal, or when the reader of the output closes it. */
export function untilStopped(): Promise<void> {
  process.stdout.removeAllListeners('error');
  return new Promise((resolve) => {
    process.stdout.on('error', () => resolve());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve());
  });
}
