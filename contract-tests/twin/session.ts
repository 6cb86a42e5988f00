import type { GivenSettings } from 'billing-emulator/internals';
import type { LostRequest, Traffic, TrafficListeners } from '../proxy/traffic.ts';
import { createComparer } from './comparer.ts';
import { readExchange, type TwinExchange } from './exchange.ts';
import { Recording } from './recording.ts';
import { TwinReport, type TwinSummary } from './report/report.ts';
import { namesIn } from './translate.ts';

/** A running comparison, fed by a proxy. */
export interface TwinSession extends TrafficListeners {
  /** The traffic so far; undefined unless `isRecorded`. */
  readonly recording: Recording | undefined;
  /** Resolves once all traffic has been compared. */
  end(): Promise<TwinSummary>;
}

export interface TwinSessionOptions {
  readonly settings: GivenSettings;
  readonly showsValues: boolean;
  /** Whether to keep the traffic for later comparisons. */
  readonly isRecorded: boolean;
  readonly print: (line: object) => void;
}

/** Compares all traffic of a proxy with the responses of a fresh emulator. */
export async function openTwinSession(options: TwinSessionOptions): Promise<TwinSession> {
  const recording = options.isRecorded ? new Recording() : undefined;
  const report = new TwinReport(options.showsValues, options.print, recording);
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
    recording,
    onArrival(arrived) {
      ordinal += 1;
      arrivals.set(arrived, { at: Date.now(), ordinal });
      comparer.order.arrive(arrived);
    },
    onTraffic(traffic: Traffic) {
      const { at = Date.now(), ordinal: place = 0 } = arrivals.get(traffic.arrived) ?? {};
      arrivals.delete(traffic.arrived);
      const exchange = readExchange(traffic, place, at);
      recording?.add(exchange);
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

/** Repeats the comparison of recorded traffic with other emulator settings. */
export async function compareRecorded(
  recorded: readonly TwinExchange[],
  settings: GivenSettings,
): Promise<TwinSummary> {
  const report = new TwinReport(false, () => {});
  const comparer = await createComparer(settings, report);
  for (const exchange of recorded) comparer.order.end(exchange);
  comparer.proceed();
  await comparer.end();
  return report.summary();
}
