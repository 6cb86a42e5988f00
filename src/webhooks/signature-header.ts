/** What stands in a signature header, before anything of it is believed. */
export interface SignatureHeader {
  /** Every value of `t`, as written. */
  readonly moments: readonly string[];
  /** Every signature of the scheme `v0`, as written. */
  readonly signatures: readonly string[];
}

/**
 * Reads `t=<timestamp>,v0=<signature>`. A part without a name carries on the one before, so that `v0` may
 * hold several signatures; parts of other names are left to schemes of the future. Space around a part is
 * what a proxy may add, and means nothing.
 *
 * @source specification, Signature 2
 */
export function readSignatureHeader(text: string): SignatureHeader {
  const moments: string[] = [];
  const signatures: string[] = [];
  let name = '';
  for (const part of text.split(',')) {
    const mark = part.indexOf('=');
    if (mark >= 0) name = part.slice(0, mark).trim();
    const value = part.slice(mark + 1).trim();
    if (name === 't') moments.push(value);
    if (name === 'v0' && value !== '') signatures.push(value);
  }
  return { moments, signatures };
}
