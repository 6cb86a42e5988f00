import type { RunPlan } from '../plan.ts';
import { type SentRequest, searchOf } from './client.ts';

type Target = Pick<RunPlan['target'], 'keyPlace' | 'serviceName' | 'key'>;

/** The request as a curl command that uses the shell variables BASE_URL and API_KEY. */
export function curlOfRequest(request: SentRequest, target: Target): string {
  const { method, path, query, body } = request;
  const search = searchOf(query);
  const parts = [
    `curl -i -X ${method} "$BASE_URL"${quoted(path)}${search === '' ? '' : quoted(search)}`,
    ...headersOf(request, target).map((header) => `-H ${header}`),
  ];
  if (body !== undefined)
    parts.push(`--data-raw ${quoted(typeof body === 'string' ? body : JSON.stringify(body))}`);
  return parts.join(' ');
}

function headersOf(
  { body, sentWith }: SentRequest,
  { keyPlace, serviceName, key: own }: Target,
): readonly string[] {
  const { key, actingFor, contentType = 'application/json', headers = {} } = sentWith;
  return [
    ...(key === null
      ? []
      : [`"${keyPlace.header}: ${keyPlace.prefix}$API_KEY${endOfKey(key ?? own, own)}"`]),
    ...(actingFor === undefined ? [] : [quoted(`X-${serviceName}-Account: ${actingFor}`)]),
    ...(body === undefined ? [] : [quoted(`Content-Type: ${contentType}`)]),
    ...Object.entries(headers).map(([name, value]) => quoted(`${name}: ${value}`)),
  ];
}

/** Keys of a check's own worlds start with the run's key; any other key is shown as a wrong one. */
function endOfKey(key: string, own: string): string {
  if (key === own) return '';
  return key.startsWith(`${own}-`) ? key.slice(own.length) : '-wrong';
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
