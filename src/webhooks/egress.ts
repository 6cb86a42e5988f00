import { X509Certificate } from 'node:crypto';
import { lookup as resolve } from 'node:dns';
import { readFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import http from 'node:http';
import type { RequestOptions } from 'node:https';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { type Settings, SettingsError } from '../config/settings.ts';

/** Resolves a host name to its addresses, like `dns.lookup`. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true },
  callback: (
    error: NodeJS.ErrnoException | null,
    addresses: { address: string; family: number }[],
  ) => void,
) => void;

/** Metadata addresses of clouds, which return credentials and are in no reserved range. */
const METADATA = new Map(
  Object.entries({
    '100.100.100.200': 'Alibaba Cloud',
    '168.63.129.16': 'Azure',
    '192.0.0.192': 'Oracle Cloud',
    'fd00:ec2::23': 'Amazon EKS',
    'fd00:ec2::254': 'Amazon EC2',
    'fd20:ce::254': 'Google Cloud',
  }).map(([address, cloud]) => [ipaddr.parse(address).toNormalizedString(), cloud]),
);

/** The positions of an embedded IPv4 address in the bytes of an IPv6 address, by address range. */
const LAST = [12, 13, 14, 15];
const EMBEDDED: Readonly<Record<string, readonly (readonly number[])[]>> = {
  ipv4Mapped: [LAST],
  rfc6145: [LAST],
  // The second is for 64:ff9b:1::/48, where the byte at index 8 is zero.
  rfc6052: [LAST, [6, 7, 9, 10]],
  '6to4': [[2, 3, 4, 5]],
};

/** Returns why an address is forbidden as a destination, or undefined if it is allowed. @assumes A-1201 */
export function findForbidden(address: string): string | undefined {
  for (const each of meaningsOf(ipaddr.parse(address))) {
    if (each.range() === 'linkLocal') return `${address} is a link-local address`;
    const cloud = METADATA.get(each.toNormalizedString());
    if (cloud !== undefined) return `${address} is the metadata address of ${cloud}`;
  }
  return undefined;
}

type Address = ReturnType<typeof ipaddr.parse>;

/** An address and the IPv4 addresses that it can lead to. */
function meaningsOf(address: Address): Address[] {
  if (address.kind() === 'ipv4') return [address];
  const bytes = address.toByteArray();
  const unscoped = ipaddr.fromByteArray(bytes);
  const at = (places: readonly number[]) =>
    ipaddr.fromByteArray(places.map((place) => bytes[place] as number));
  const embedded = EMBEDDED[address.range()];
  if (embedded) return [unscoped, ...embedded.map(at)];
  if (address.range() === 'teredo') {
    const client = bytes.slice(12).map((byte) => byte ^ 0xff);
    return [unscoped, at([4, 5, 6, 7]), ipaddr.fromByteArray(client)];
  }
  const isCompatible = bytes.slice(0, 12).every((byte) => byte === 0);
  return isCompatible ? [unscoped, at(LAST)] : [unscoped];
}

function errorOf(address: string): Error | undefined {
  const reason = findForbidden(address);
  return reason === undefined ? undefined : new Error(`Not sent: ${reason}.`);
}

/**
 * Opens a request. It connects to no forbidden address; `lookup` must be a guarded one.
 *
 * @throws Error where the host is a forbidden address
 * @assumes A-1201
 */
export function openGuarded(
  url: URL,
  options: RequestOptions & { readonly lookup: LookupFunction },
): ClientRequest {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const error = isIP(host) === 0 ? undefined : errorOf(host);
  if (error) throw error;
  const request = (url.protocol === 'https:' ? https : http).request(url, options);
  limitInterim(request);
  return request.on('socket', (socket) => guardConnection(socket, request));
}

const MAX_INTERIM = 100;

/** Ends a request whose receiver sends 1xx responses without end; reading them would slow down every world. */
function limitInterim(request: ClientRequest): void {
  let count = 0;
  request.on('information', () => {
    count += 1;
    if (count > MAX_INTERIM)
      request.destroy(new Error(`More than ${MAX_INTERIM} interim responses.`));
  });
}

/**
 * A socket lookup that fails if any address of the name is forbidden. The socket connects to the addresses it
 * returns, so that they cannot change between check and use.
 */
export function guardedLookup(find: Resolve = resolve): LookupFunction {
  return (hostname, options, callback) => {
    findAll(hostname, find, (error, addresses) => {
      const refused = error ?? addresses.map(({ address }) => errorOf(address)).find(Boolean);
      if (refused) return callback(refused, []);
      const { family } = options;
      const wanted = addresses.filter((each) => !family || each.family === family);
      const [first = addresses[0]] = wanted;
      if (options.all) callback(null, wanted);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}

/** Checks the address that a socket connected to, before the first byte is written. */
function guardConnection(socket: Socket, request: ClientRequest): void {
  if (!socket.connecting) return;
  socket.prependOnceListener('connect', () => {
    const error = errorOf(socket.remoteAddress ?? '0.0.0.0');
    if (error) request.destroy(error);
  });
}

/** Resolves `localhost` and its subdomains to this machine without a resolver. */
function findAll(hostname: string, find: Resolve, done: Parameters<Resolve>[2]): void {
  if (LOCAL_NAME.test(hostname)) done(null, LOOPBACK);
  else find(hostname, { all: true }, done);
}

const LOCAL_NAME = /(^|\.)localhost\.?$/i;
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Knows the emulator's own addresses, so that it does not call itself over the network. */
export function createOwnAddress({ port, public_url }: Settings) {
  const named = public_url === '' ? undefined : new URL(public_url).origin;
  const ports = { 'http:': new Set([port]), 'https:': new Set<number>() };
  return {
    /** Adds the ports that it listens on. The configured port, which can be 0, stays valid for fixtures. */
    listensOn(actual: number, secure?: number): void {
      ports['http:'].add(actual);
      if (secure !== undefined) ports['https:'].add(secure);
    },
    covers(url: URL): boolean {
      if (url.origin === named) return true;
      const own = ports[url.protocol as keyof typeof ports] as ReadonlySet<number> | undefined;
      const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
      return own?.has(port) === true && LOOPBACK_NAME.test(url.hostname);
    },
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * The authorities by which webhook receivers are trusted: the usual ones, and those in the file that the settings name.
 * Undefined if they name none.
 *
 * @throws SettingsError when the file cannot be read or has no certificate
 */
export function trustedByReceivers({ webhook_ca: file }: Settings): SecureContext | undefined {
  if (file === '') return undefined;
  try {
    const given = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
    if (given.length === 0) throw new Error(`${file} has no certificate (PEM)`);
    for (const each of given) new X509Certificate(each);
    return createSecureContext({ ca: [...rootCertificates, ...given] });
  } catch (error) {
    throw new SettingsError([`Setting webhook_ca: ${(error as Error).message}.`]);
  }
}
