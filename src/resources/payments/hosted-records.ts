import type { Tables } from '../../store/schema.ts';

/** The top-up or the payment link whose payment page has a token. */
export const findPayment = ({ top_ups, payment_links }: Tables, token: string) =>
  top_ups.first('payment', token) ?? payment_links.get(token);

export const findPortalSession = ({ portal_sessions }: Tables, token: string) =>
  portal_sessions.first('token', token);

export const findPortalVisit = ({ portal_visits }: Tables, token: string) =>
  portal_visits.get(token);

/** Whether a world has the hosted page of a token. */
export const hasHostedPage = (tables: Tables, token: string): boolean =>
  [findPayment, findPortalSession, findPortalVisit].some((find) => find(tables, token));
