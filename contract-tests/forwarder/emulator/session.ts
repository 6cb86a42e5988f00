import type { GivenSettings } from 'billing-emulator';
import type { LostRequest, Traffic, TrafficListeners } from '../traffic.ts';
import { createComparer } from './comparer.ts';
import { readExchange } from './exchange.ts';
import { TwinReport, type TwinSummary } from './report/report.ts';
import { namesIn } from './translate.ts';

/** A running comparison, fed by a forwarder. */
export interface TwinSession extends TrafficListeners {
  /** Resolves once all traffic has been compared. */
  end(): Promise<TwinSummary>;
}

export interface TwinSessionOptions {
  readonly settings: GivenSettings;
  readonly showsValues: boolean;
  readonly print: (line: object) => void;
}

/** Compares all forwarded traffic with the responses of a fresh emulator. */
export async function openTwinSession(options: TwinSessionOptions): Promise<TwinSession> {
  const report = new TwinReport(options.showsValues, options.print);
  const comparer = await createComparer(options.settings, report);
  const arrivals = new Map<number, { readonly at: number; readonly ordinal: number }>();
  let ordinal = 0;

  function lose({ arrived, ...request }: LostRequest): void {
    report.lost(request.method, request.reason);
    arrivals.delete(arrived);
    comparer.order.leave(arrived);
    const names = namesIn({ ...request, rawRequestHeaders: [] });
    if (request.method !== 'GET') comparer.lose(names, 'a request without an answer');
    comparer.proceed();
  }

  return {
    onArrival(arrived) {
      ordinal += 1;
      arrivals.set(arrived, { at: Date.now(), ordinal });
      comparer.order.arrive(arrived);
    },
    onTraffic(traffic: Traffic) {
      const { at = Date.now(), ordinal: place = 0 } = arrivals.get(traffic.arrived) ?? {};
      arrivals.delete(traffic.arrived);
      const exchange = readExchange(traffic, place, at);
      report.came(exchange);
      comparer.order.end(exchange);
      comparer.proceed();
    },
    onLost: lose,
    onLeft: lose,
    async end() {
      await comparer.end();
      return report.summary();
    },
  };
}
