import ipaddr from 'ipaddr.js';
import { isLocalName } from './local-name.ts';
import { type Finding, finding } from './rules.ts';

const LOCAL_RANGES = new Set(['loopback', 'private', 'uniqueLocal']);

/**
 * What is wrong with the address of a destination, by its normalised text alone.
 *
 * @assumes A-1201
 */
export function judgeWebhookUrl(text: string, field: string): Finding[] {
  const url = new URL(text);
  const findings: Finding[] = [];
  if (url.username !== '' || url.password !== '') findings.push(finding('url.credentials', field));
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url.hostname));
  if (!isSafe) findings.push(finding('url.scheme', field));
  return findings;
}

/** Whether a host stays on this machine or within a private network, as far as its text tells. */
function isLocal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return LOCAL_RANGES.has(ipaddr.process(host).range());
  return isLocalName(host);
}
