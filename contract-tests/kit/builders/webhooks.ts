import { REMOVERS, type Remover } from '../created-objects.ts';
import { isLoopbackTarget } from '../plan.ts';
import type { CheckContext } from '../run-check.ts';
import { api, call } from '../target/api.ts';
import { unique } from '../target/names.ts';
import { currentSession } from '../target/session.ts';
import { building } from '../target/slots.ts';
import type { BodyOf } from './objects.ts';

export interface OwnWebhook {
  readonly id: string;
  readonly secret: string;
  readonly url: string;
}

/**
 * An unreachable destination, for checks that read only the delivery log. For a loopback target it is a port without a
 * listener, because a machine without a DNS resolver can take ten seconds to report an unknown host name.
 */
export function blackHole(): string {
  const isNear = isLoopbackTarget(currentSession().plan.target.baseUrl);
  const host = isNear ? '127.0.0.1:9' : `${unique('hole')}.invalid`;
  return `https://${host}/${unique('hook')}`;
}

/** Creates a webhook destination, and deletes it after the check. */
export async function aWebhook(
  t: CheckContext,
  body: Partial<BodyOf<'createWebhook'>> = {},
): Promise<OwnWebhook> {
  const url = body.url ?? blackHole();
  const made = await building('webhook destination', () =>
    api('createWebhook', { body: { ...body, url } }, 201),
  );
  currentSession().redactor.learn(made.secret);
  t.afterwards(() => removed('deleteWebhook', made.id));
  return { id: made.id, secret: made.secret, url };
}

/** Deletes an object that the check created. It is no error when the object no longer exists. */
export async function removed(operation: Remover, id: string): Promise<void> {
  await call(operation, { path: { [REMOVERS[operation]]: id } }, [204, 404, 400, 422]);
  currentSession().created.remove(id);
}
