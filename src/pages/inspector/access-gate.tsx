import type { Request, RequestHandler } from 'express';
import { tokenOf } from '../../config/access.ts';
import type { Settings } from '../../config/settings.ts';
import { equalsToken, tokenAlarm } from '../../http/credentials.ts';
import { deriveToken } from '../../store/ids.ts';
import { sendAnswer, unknownPage } from '../answer.tsx';
import { Button, Field, fieldText } from '../forms.tsx';
import { CardPage } from '../page.tsx';
import type { PagesOptions } from '../page-control.ts';
import { Alert } from '../parts.tsx';

/**
 * Protects the inspector: responds with 404 if the pages are off, and asks for the control token if one is set.
 *
 * @assumes A-1401
 */
export function pageGate({
  settings,
  log,
}: Pick<PagesOptions, 'settings' | 'log'>): RequestHandler {
  if (settings.ui === 'off') return unknownPage(settings);
  const token = tokenOf(settings);
  return token === ''
    ? (_request, _response, next) => next()
    : tokenGate(settings, token, tokenAlarm(log));
}

/** Whether the user has given the control token, or none is set. */
export function isLookedAtByOwner(request: Request, settings: Settings): boolean {
  const token = tokenOf(settings);
  return token === '' || equalsToken(cookieOf(request), passOf(settings));
}

const passOf = ({ secret, admin_token }: Settings): string =>
  deriveToken(secret, ['inspector', admin_token]);

const COOKIE = 'emulator_ui';

/** Asks for the token once. The cookie has a value derived from the token, not the token itself. */
function tokenGate(settings: Settings, token: string, alarm: () => Promise<void>): RequestHandler {
  const pass = passOf(settings);
  return async (request, response, next) => {
    if (equalsToken(cookieOf(request), pass)) return next();
    const given = fieldText(request.body, 'admin_token');
    if (request.method !== 'POST' || !equalsToken(given, token)) {
      if (given !== '') await alarm();
      return sendAnswer(response, { status: 401, page: <TokenPage isWrong={given !== ''} /> });
    }
    // Behind a proxy only the browser and the settings say that the page was opened by https.
    const opened = request.headers.origin ?? settings.public_url;
    const secure = request.secure || opened.startsWith('https:');
    const scope = { httpOnly: true, sameSite: 'strict', path: '/_emulator' } as const;
    response.cookie(COOKIE, pass, { ...scope, secure });
    sendAnswer(response, { location: request.originalUrl });
  };
}

function cookieOf(request: Request): string {
  const pairs = (request.headers.cookie ?? '').split(/; */);
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? '';
}

function TokenPage({ isWrong }: { readonly isWrong: boolean }) {
  return (
    <CardPage title="Token required">
      {isWrong && <Alert text="The token is wrong." />}
      <p>
        This page is open to those who have the token of the control API, the setting{' '}
        <code>admin_token</code>.
      </p>
      <form method="post">
        <Field label="Control API token" type="password" name="admin_token" required />
        <Button isMain>Open</Button>
      </form>
    </CardPage>
  );
}
