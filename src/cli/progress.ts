const WIDTH = 30;

/** Opens a progress bar on standard error. Returns undefined if that is no terminal. */
export async function openProgress(total: number, text: string) {
  if (!process.stderr.isTTY) return undefined;
  const { progress } = await import('@clack/prompts');
  const bar = progress({ max: total, size: WIDTH, output: process.stderr });
  bar.start(text);
  return {
    advance: (now: string) => bar.advance(1, now),
    stop: (last: string) => bar.stop(last),
  };
}
