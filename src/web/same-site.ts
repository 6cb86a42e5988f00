import type { Request, RequestHandler } from 'express';
import { sendAnswer } from './answer.ts';
import { errorPage } from './error-pages.tsx';

/**
 * Refuses what another site's page posts. Browsers say where a form stands in `Sec-Fetch-Site`, on plain
 * http beyond loopback in `Origin` alone; a page without referrer sends the origin `null`.
 */
export function refuseForeignPosts(publicUrl: string): RequestHandler {
  return (request, response, next) => {
    if (isReading(request) || isOwn(request, publicUrl)) next();
    else sendAnswer(response, errorPage('foreign'));
  };
}

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

function isOwn(request: Request, publicUrl: string): boolean {
  const site = request.get('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.get('Origin');
  if (origin === undefined || origin === 'null') return true;
  if (!URL.canParse(origin)) return false;
  return origin === publicUrl || new URL(origin).host === request.get('Host');
}
