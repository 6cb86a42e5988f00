import { after } from '../../domain/instant.ts';
import { violate } from '../../domain/rules.ts';
import type { Handler } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { newRecord } from '../owned-records.ts';

export const createPortalSession: Handler<'createPortalSession'> = ({ body }, context) => {
  const { tables, world, owner, now, settings, baseUrl } = context;
  const customer =
    findCustomer(context, body.customer_id) ?? violate('customer.unknown', 'customer_id');

  const { token, expires_at } = tables.portal_sessions.put(
    newRecord(context, 'portal_session', {
      customer_id: customer.id,
      token: world.nextToken('portal link', owner),
      return_url: body.return_url,
      failure_url: body.failure_url,
      expires_at: after(now, settings.portal_link_lifetime),
    }),
  );
  return { status: 200, body: { redirect_url: `${baseUrl}/hosted/portal/${token}`, expires_at } };
};
