import type { RequestHandler } from 'express';

/**
 * The Content-Security-Policy of a page: it loads only its own files, and nobody can frame it. A form can redirect
 * to a URL that the integrator gave. Browsers check every redirect after a form against `form-action`, so pages
 * with such forms set `leaves`.
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
 * Sets the security headers of every page. URLs contain tokens, so they are not cached or sent to other origins. They
 * are sent to the own origin, because otherwise browsers send `Origin: null` with forms.
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

/** Allows the forms of a page to redirect to other origins. */
export const allowLeaving: RequestHandler = (_request, response, next) => {
  response.set('Content-Security-Policy', contentPolicy(true));
  next();
};
