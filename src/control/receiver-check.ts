import { instant, toUnixSeconds } from '../domain/instant.ts';
import { refuseAll } from '../domain/rules.ts';
import { judgeWebhookUrl } from '../domain/webhook-url.ts';
import { runReceiverSuite as check } from '../webhooks/receiver/run-receiver-suite.ts';
import type { ControlHandler } from './context.ts';

export const checkReceiver: ControlHandler<'checkReceiver'> = async ({ body }, { settings }) => {
  const { url, secret, effects_url, now, timeout_seconds } = body;
  const effects = effects_url === undefined ? [] : judgeWebhookUrl(effects_url, 'effects_url');
  refuseAll([...judgeWebhookUrl(url, 'url'), ...effects]);
  const report = await check({
    url,
    secret,
    serviceName: settings.service_name,
    now: now === undefined ? undefined : toUnixSeconds(instant(now)),
    distance: body.distance_seconds,
    largeBody: body.large_body_bytes,
    timeout: timeout_seconds === undefined ? undefined : timeout_seconds * 1000,
    effectsUrl: effects_url,
    data: body.data,
    skip: body.skip,
  });
  return { status: 200, body: report };
};
