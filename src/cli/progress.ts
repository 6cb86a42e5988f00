/** Shows a person how far some work is. */
export interface Progress {
  advance(text?: string): void;
  stop(text: string): void;
}

const WIDTH = 30;
const SILENT: Progress = { advance() {}, stop() {} };

/** A progress bar on standard error; silent where no person watches, as in a pipe. */
export async function openProgress(total: number, text: string): Promise<Progress> {
  if (!process.stderr.isTTY) return SILENT;
  const { progress } = await import('@clack/prompts');
  const bar = progress({ max: total, size: WIDTH, output: process.stderr });
  bar.start(text);
  return {
    advance: (now) => bar.advance(1, now),
    stop: (last) => bar.stop(last),
  };
}
