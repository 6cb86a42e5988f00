import { spawn } from 'node:child_process';
import { NotSelected, Untestable } from './outcome.ts';
import { currentSession } from './session.ts';

export type PaymentOutcome = 'paid' | 'declined';

/** Cards of the emulator's own payment page. @assumes A-1103 */
const CARDS: Readonly<Record<PaymentOutcome, string>> = {
  paid: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
};

/**
 * Completes a hosted payment as a customer would: by the command of `--payment-hook`, or on the page itself
 * where the emulator is ours.
 *
 * @throws NotSelected where there is no way to
 * @throws Untestable when the way does not lead there
 */
export async function completePayment(redirectUrl: string, outcome: PaymentOutcome): Promise<void> {
  const { plan, redactor } = currentSession();
  redactor.learn(redirectUrl);
  if (plan.paymentHook !== undefined) await runHook(plan.paymentHook, redirectUrl, outcome);
  else if (plan.target.kind === 'ours') await payOnPage(redirectUrl, CARDS[outcome]);
  else throw new NotSelected('needs --payment-hook to complete payments');
}

/** The command sees address and outcome as whole words, never as text that a shell would read. */
function runHook(hook: string, redirectUrl: string, outcome: PaymentOutcome): Promise<void> {
  const [command = '', ...words] = hook
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => word.replace('{redirect_url}', redirectUrl).replace('{outcome}', outcome));
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { stdio: 'ignore', timeout: 120_000 });
    child.once('error', () => reject(new Untestable('The payment hook cannot be started')));
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Untestable(`The payment hook ended with ${code}`)),
    );
  });
}

async function payOnPage(redirectUrl: string, card: string): Promise<void> {
  const page = await (await fetch(redirectUrl)).text();
  const form = /<form[^>]*\bmethod="post"[^>]*>[\s\S]*?<\/form>/i.exec(page)?.[0];
  const action = form && /\baction="([^"]*)"/.exec(form)?.[1];
  if (form === undefined || action === undefined)
    throw new Untestable('The payment page has no form');
  const target = new URL(action, redirectUrl);
  const answer = await fetch(target, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: target.origin },
    body: new URLSearchParams(filledIn(form, card)),
  });
  if (answer.status >= 400) throw new Untestable(`The payment page answered ${answer.status}`);
}

/** The fields of a form: what it holds or has chosen already, and a card where it asks for one. */
function filledIn(form: string, card: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<(?:input|button)\b[^>]*>/g)) {
    const name = /\bname="([^"]*)"/.exec(input)?.[1];
    const isUnchosen = /\btype="(radio|checkbox)"/.test(input) && !/\schecked\b/.test(input);
    if (name === undefined || isUnchosen) continue;
    fields[name] = answerTo(name, card) ?? /\bvalue="([^"]*)"/.exec(input)?.[1] ?? '';
  }
  return fields;
}

function answerTo(name: string, card: string): string | undefined {
  if (/number/.test(name)) return card;
  if (/expir|expiry|date/.test(name)) return '12/40';
  return /cvc|cvv/.test(name) ? '123' : undefined;
}
