import ipaddr from 'ipaddr.js';
import { isLocalName } from './local-name.ts';
import { type Finding, findingIf } from './rules.ts';

const LOCAL_RANGES = new Set(['loopback', 'private', 'uniqueLocal']);

/** Checks the URL of a destination by its normalised text, without a name lookup. @assumes A-1201 */
export function validateWebhookUrl(text: string, field: string): Finding[] {
  const url = new URL(text);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url.hostname));
  return [
    ...findingIf(url.username !== '' || url.password !== '', 'url.credentials', field),
    ...findingIf(!isSafe, 'url.scheme', field),
  ];
}

/** Whether a host belongs to this machine or a private network, judged by its text. */
function isLocal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return LOCAL_RANGES.has(ipaddr.process(host).range());
  return isLocalName(host);
}
