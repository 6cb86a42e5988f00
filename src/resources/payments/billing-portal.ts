import { after } from '../../domain/instant.ts';
import { violate } from '../../domain/rules.ts';
import type { Handler } from '../context.ts';
import { findCustomer } from '../customers/customer-lookup.ts';
import { addLink } from '../links.ts';

export const createPortalSession: Handler<'createPortalSession'> = ({ body }, context) => {
  const { now, settings, baseUrl } = context;
  const customer =
    findCustomer(context, body.customer_id) ?? violate('customer.unknown', 'customer_id');

  const { id: token, expires_at } = addLink(context, {
    kind: 'portal',
    customer_id: customer.id,
    return_url: body.return_url,
    failure_url: body.failure_url,
    expires_at: after(now, settings.portal_link_lifetime),
  });
  return { status: 200, body: { redirect_url: `${baseUrl}/hosted/portal/${token}`, expires_at } };
};
