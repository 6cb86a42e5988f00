import { createEmulator } from '../../src/emulator.ts';
import { RequestMetrics } from '../../src/http/request-metrics.ts';
import { BENCH_SETTINGS, COUNTED } from '../servers.ts';

/** `PORT`: an emulator that counts those requests for its metrics whose query says so, so that one process does both. */
const { count } = RequestMetrics.prototype;
RequestMetrics.prototype.count = function (exchange) {
  if (exchange.rawRequest.search === COUNTED) count.call(this, exchange);
};
const port = Number(process.argv[2]);
const emulator = createEmulator({ settings: { ...BENCH_SETTINGS, port } });
await emulator.listen();
