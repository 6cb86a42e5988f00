import type { Settings } from '../config/settings.ts';

const SANE_HOST = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/;

/** Base URL of the links in a response, without a trailing slash. It uses the host that the caller used. */
export function baseUrlOf(settings: Settings, host: string | undefined): string {
  if (settings.public_url !== '') return settings.public_url;
  return host !== undefined && SANE_HOST.test(host)
    ? `http://${host}`
    : `http://127.0.0.1:${settings.port}`;
}
