import type { Exchange } from '../../../http/log/exchange.ts';
import { redactorOf } from '../../../http/log/present-exchange.ts';
import type { InspectorRequest } from '../inspector-request.ts';

/** A command that sends the same request again, under the key of the page. */
export function curlOf({ key, control, world }: InspectorRequest, exchange: Exchange): string {
  const { rawRequest, requestBody, owner } = exchange;
  const { method, path, search } = rawRequest;
  const redactIn = redactorOf(exchange);
  const address = redactIn(`${path}${search && `?${search}`}`);
  const { service_name } = control.settings;
  const headers = [
    `Authorization: Bearer ${key}`,
    ...(owner === world.accountId ? [] : [`X-${service_name}-Account: ${owner}`]),
    ...(requestBody.length > 0 ? [`Content-Type: ${rawRequest.headers['content-type']}`] : []),
  ];
  const parts = [
    `curl -X ${quoted(method)} ${quoted(control.baseUrl + address)}`,
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...(requestBody.length > 0
      ? [`--data-raw ${quoted(redactIn(requestBody.toString('utf8')))}`]
      : []),
  ];
  return parts.join(' \\\n  ');
}

/** A text that a shell takes as it is. */
function quoted(text: string): string {
  return /^[\w/:.=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
