import type { ComponentProps } from 'preact';

/** What a form or an address holds: a text for each name, or several where one stands more than once. */
export type FormBody = Readonly<Record<string, unknown>> | undefined;

/** The text of a field; empty where it is absent or was sent twice. */
export function fieldText(body: FormBody, name: string): string {
  const value = body && Object.hasOwn(body, name) ? body[name] : undefined;
  return typeof value === 'string' ? value.trim() : '';
}

type FieldProps = ComponentProps<'input'> & { readonly label: string };

/** A field under its label. Browsers are kept from filling it in. */
export function Field({ label, ...input }: FieldProps) {
  return (
    <label>
      {label}
      <input autocomplete="off" {...input} />
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  /** What can be chosen, each as it is sent and, where that differs, as it reads. */
  readonly options: readonly (string | readonly [value: string, text: string])[];
  readonly chosen?: string | undefined;
}

/** One of several values, under its label. */
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

type ButtonProps = ComponentProps<'button'> & { readonly isSecondary?: boolean };

/** A button that sends its form. */
export function Button({ isSecondary = false, ...button }: ButtonProps) {
  return <button type="submit" class={isSecondary ? 'secondary' : undefined} {...button} />;
}
