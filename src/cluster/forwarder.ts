import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RemoteClaim } from '../store/storage/storage.ts';
import { Forwarded, type Outcome } from './forwarded.ts';
import { type Hop, handOverHead } from './hop.ts';
import type { Link } from './link.ts';

/** How often forwarded requests are looked at, whose emulator may have been suspended. */
const LOOK_MS = 1_000;
/** How long forwarded requests may go on when this emulator closes. */
const PATIENCE_MS = 300;

/** Forwards requests to the emulators that hold their worlds, and passes back what these respond. */
export class Forwarder {
  /** By the address that they lead to. */
  readonly #links = new Map<string, Link>();
  readonly #looking: NodeJS.Timeout;

  constructor(
    private readonly hop: Hop,
    closing: AbortSignal,
  ) {
    this.#looking = setInterval(() => this.#endOver(), LOOK_MS).unref();
    closing.addEventListener('abort', () => setTimeout(() => this.#end(), PATIENCE_MS));
  }

  /** Forwards a request, unless its client has left meanwhile. */
  forward(
    request: IncomingMessage,
    response: ServerResponse,
    claim: RemoteClaim,
  ): Promise<Outcome> | Outcome {
    if (response.destroyed) return 'answered';
    const forwarded = new Forwarded(request, response, claim, this.#linkTo(claim.url));
    forwarded.begin();
    return forwarded.outcome;
  }

  /** Has another emulator give a world back, which this one needs. Whether it did shows when the world is claimed. */
  handOver({ url, key }: RemoteClaim): Promise<void> {
    const link = this.#linkTo(url);
    return new Promise((resolve) => {
      const ignore = () => {};
      const end = () => {
        link.close(number);
        resolve();
      };
      const number = link.open({
        whole: end,
        head: ignore,
        body: ignore,
        pause: ignore,
        resume: ignore,
        done: end,
        cancel: end,
      });
      link.send(number, 'head', JSON.stringify(handOverHead(key)));
    });
  }

  #linkTo(url: string): Link {
    const known = this.#links.get(url);
    if (known) return known;
    const link = this.hop.connect(url, () => {
      if (this.#links.get(url) === link) this.#links.delete(url);
    });
    this.#links.set(url, link);
    return link;
  }

  /** Ends what waits for an emulator that has lost its claim, as one that is suspended. */
  #endOver(): void {
    const receivers = [...this.#links.values()].flatMap((link) => link.receivers);
    for (const one of receivers) if (one instanceof Forwarded && one.claim.isOver) one.giveUp();
  }

  #end(): void {
    clearInterval(this.#looking);
    for (const link of this.#links.values()) link.destroy();
  }
}
