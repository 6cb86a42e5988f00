import type { Settings } from '../../config/settings.ts';
import { isLoopback } from '../../domain/local-name.ts';
import { NO_TOKEN } from '../../http/admin-token.ts';
import { headerNames } from '../../spec/header-names.ts';

interface BannerParts {
  readonly url: string;
  readonly key: string;
  readonly settings: Settings;
}

/** What is printed once requests are answered: where, with which key, where to look, and what to paste next. */
export function bannerOf({ url: bound, key, settings }: BannerParts): string {
  const url = reachable(bound);
  const { apiKey } = headerNames(settings.service_name);
  const lines = [
    `billing-emulator is ready at ${url}`,
    '',
    `  key     ${key}  (header ${apiKey}, or Authorization: Bearer)`,
    '  others  any key_test_<name> or key_live_<name> opens a world of its own',
  ];
  if (settings.ui !== 'off')
    lines.push(`  look    ${url}/_emulator/ui  (documentation: /_emulator/docs)`);
  if (settings.admin_token === NO_TOKEN && !isLoopback(settings.host))
    lines.push('  access  admin_token is none: whoever reaches this port steers the emulator');
  if (settings.fixture === 'quickstart') lines.push('', ...firstFee(url, key));
  return `${lines.join('\n')}\n`;
}

/** An address to paste, where the emulator listens on all of them. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function firstFee(url: string, key: string): readonly string[] {
  return [
    'Price a usage event and see the balance:',
    '',
    `  curl -X POST ${url}/events -H "Authorization: Bearer ${key}" \\`,
    `    -H 'Content-Type: application/json' -d '{"customer_external_id": "acme", "events": [{`,
    `    "id": "68e8980c-fd79-46ea-be14-0e9f2be7df0a", "event_type": "llm.completion",`,
    `    "occurred_at": "'$(date -u +%Y-%m-%dT%H:%M:%SZ)'", "data": {"model": "large", "tokens": 417000}}]}'`,
    '',
    `  curl -H "Authorization: Bearer ${key}" ${url}/events/68e8980c-fd79-46ea-be14-0e9f2be7df0a`,
  ];
}
