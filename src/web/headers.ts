import type { RequestHandler } from 'express';

/**
 * What a page may load and who may frame it: own files only, nobody. A form may be answered with a
 * redirect to the address that an integrator gave, and browsers hold such a redirect, and every
 * further one behind it, to `form-action`; hence `leaves` for pages whose forms lead away.
 */
function contentPolicy(leaves: boolean): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `form-action 'self'${leaves ? ' http: https:' : ''}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Puts the headers on every page. Links carry tokens, so no address is told to others or kept; told to own pages,
 * so that browsers name the origin of own forms instead of `null`.
 */
export const secureHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': contentPolicy(false),
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
  next();
};

/** Lets the forms of a page be answered with a redirect to another origin. */
export const allowLeaving: RequestHandler = (_request, response, next) => {
  response.set('Content-Security-Policy', contentPolicy(true));
  next();
};
