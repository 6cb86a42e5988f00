import type { ComponentProps } from 'preact';

/** The values of a form or of a query string, by name. A name that occurs more than once has an array. */
export type FormBody = Readonly<Record<string, unknown>> | undefined;

/** Returns the trimmed text of a field; empty if it is absent or occurs more than once. */
export function fieldText(body: FormBody, name: string): string {
  const value = body && Object.hasOwn(body, name) ? body[name] : undefined;
  return typeof value === 'string' ? value.trim() : '';
}

type FieldProps = ComponentProps<'input'> & { readonly label: string; readonly testId?: string };

/** An input with a label. Autocomplete is off, also to keep real cards out. */
export function Field({ label, testId, ...input }: FieldProps) {
  return (
    <label>
      {label}
      <input autocomplete="off" {...input} data-testid={testId} />
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  /** The options: a value, or a value with the text to show for it. */
  readonly options: readonly (string | readonly [value: string, text: string])[];
  readonly chosen?: string | undefined;
}

/** A select with a label. */
export function Choice({ label, name, options, chosen }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name}>
        {options.map((option) => {
          const [value, text] = typeof option === 'string' ? [option, option] : option;
          return (
            <option key={value} value={value} selected={value === chosen}>
              {text}
            </option>
          );
        })}
      </select>
    </label>
  );
}

type ButtonProps = ComponentProps<'button'> & { readonly isMain?: boolean };

export function Button({ isMain = false, ...button }: ButtonProps) {
  return <button type="submit" class={isMain ? undefined : 'secondary'} {...button} />;
}

/** Returns the text of a form field; empty if it is absent. */
export type FormField = (name: string) => string;
