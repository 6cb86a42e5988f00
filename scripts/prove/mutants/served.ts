import { type ChildProcess, fork } from 'node:child_process';
import type { Orders } from './serve.ts';

export class TooLate extends Error {}

/** The process of the mutated emulator, restarted after it was killed. */
export class Served {
  #child: ChildProcess | undefined;

  constructor(
    private readonly file: string,
    private readonly corpusFile: string,
    private readonly histories: number,
  ) {}

  /** @throws TooLate after `within` milliseconds, when it has killed the process */
  async order<Name extends keyof Orders>(
    name: Name,
    given: Parameters<Orders[Name]>,
    within: number,
  ): Promise<Awaited<ReturnType<Orders[Name]>>> {
    this.#child ??= fork(this.file, [this.corpusFile, `${this.histories}`], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const child = this.#child;
    let timer: NodeJS.Timeout | undefined;
    try {
      const answer = await new Promise<unknown>((resolve, reject) => {
        timer = setTimeout(() => reject(new TooLate(name)), within);
        child.once('exit', () => reject(new TooLate('exit')));
        child.once('message', ({ answer, error }: { answer: unknown; error?: string }) =>
          error === undefined ? resolve(answer) : reject(new Error(error)),
        );
        child.send({ name, given });
      });
      return answer as Awaited<ReturnType<Orders[Name]>>;
    } catch (error) {
      if (error instanceof TooLate) this.kill();
      throw error;
    } finally {
      clearTimeout(timer);
      child.removeAllListeners('exit');
      child.removeAllListeners('message');
    }
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}
