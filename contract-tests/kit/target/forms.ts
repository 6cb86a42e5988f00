import { Untestable } from '../outcome.ts';

/** The value for a form field by its name; undefined keeps the field's value. */
export type Answers = (name: string) => string | undefined;

/**
 * Submits a form of a hosted page as a browser does, without following redirects. Returns the Location header,
 * unchanged; empty when there is none.
 *
 * @param field the name of a field of the form, for pages with several forms
 * @throws Untestable when there is no such form, or the target rejects it
 */
export async function submitForm(url: string, answers: Answers, field?: string): Promise<string> {
  return (await openForm(url, field))(answers);
}

/**
 * Opens a form of a hosted page, as `submitForm` does. Returns a function that submits it, at any later time.
 *
 * @throws Untestable when there is no such form
 */
export async function openForm(
  url: string,
  field?: string,
): Promise<(answers: Answers) => Promise<string>> {
  const shown = await fetch(url, { headers: { Accept: 'text/html' } });
  const form = formOf(await shown.text(), field);
  const action = form && /\baction="([^"]*)"/.exec(form)?.[1];
  if (form === undefined || action === undefined)
    throw new Untestable(`The page has no form${field === undefined ? '' : ` with ${field}`}`);
  const target = new URL(action, shown.url);
  return async (answers) => {
    const answer = await fetch(target, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: target.origin },
      body: new URLSearchParams(filledIn(form, answers)),
    });
    await answer.arrayBuffer();
    if (answer.status >= 400) throw new Untestable(`The page answered ${answer.status}`);
    return answer.headers.get('location') ?? '';
  };
}

function formOf(page: string, field: string | undefined): string | undefined {
  const forms = [...page.matchAll(/<form[^>]*\bmethod="post"[^>]*>[\s\S]*?<\/form>/gi)];
  return forms.map(([form]) => form).find((form) => !field || form.includes(`name="${field}"`));
}

/** The form's fields with their current values, overridden by the given ones. */
function filledIn(form: string, answers: Answers): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<(?:input|button|select)\b[^>]*>/g)) {
    const name = /\bname="([^"]*)"/.exec(input)?.[1];
    if (name === undefined) continue;
    const answer = answers(name);
    const isUnchosen = /\btype="(radio|checkbox)"/.test(input) && !/\schecked\b/.test(input);
    if (answer === undefined && isUnchosen) continue;
    fields[name] = answer ?? /\bvalue="([^"]*)"/.exec(input)?.[1] ?? '';
  }
  return fields;
}
