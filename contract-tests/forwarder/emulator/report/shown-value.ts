import { digitsOf, type ExactValue, isList, isObject } from '../../../kit/exact-json.ts';
import { isSecretField, type Redactor } from '../../../kit/target/redact.ts';
import { declaredWords } from '../../declared-names.ts';
import { formOf, isInstant } from '../id-map.ts';

/** The longest value that is shown. */
const LONGEST = 200;

/** Any URL, because it can grant access to whoever has it. */
const LINK = /https?:\/\/[^\s"'<>]+/gi;

/**
 * Turns a value into text without personal data: only its form, or with consent the value without secrets.
 *
 * @param field the name of the field that holds it
 */
export function showValue(
  value: ExactValue | undefined,
  field: string,
  redactor: Redactor | undefined,
): string {
  if (value === undefined) return 'nothing';
  if (!redactor || isSecretField(field)) return outlineOf(value);
  const text = redactor.text(JSON.stringify(plain(value))).replaceAll(LINK, '‹redacted link›');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The form of a value without its content. Enum values of the document, booleans and null are shown. */
function outlineOf(value: ExactValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  const digits = digitsOf(value);
  if (digits !== undefined) return /^-?\d+$/.test(digits) ? 'integer' : 'decimal';
  if (isList(value)) return `list(${value.length})`;
  if (isObject(value)) return 'object';
  if (isInstant(value)) return 'instant';
  if (declaredWords().has(value)) return value;
  const form = formOf(value);
  if (form === 'id') return `id(${value.slice(0, value.indexOf('_'))})`;
  return form ?? `string(${value.length})`;
}

function plain(value: ExactValue): unknown {
  const digits = digitsOf(value);
  if (digits !== undefined) return Number(digits);
  if (isList(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretField(name) ? '‹redacted›' : plain(inner),
    ]),
  );
}
