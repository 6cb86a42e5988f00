import type { ComponentProps } from 'preact';
import { CARD_FIELDS, type CardEntry, type CardField, TEST_CARDS } from './card-form.ts';

type InputProps = ComponentProps<'input'> & { readonly label: string; readonly testId: string };

const INPUTS: Readonly<Record<CardField, InputProps>> = {
  number: {
    label: 'Card number',
    placeholder: '4242 4242 4242 4242',
    maxlength: 32,
    testId: 'card-number',
  },
  expiry: {
    label: 'Expiry',
    placeholder: 'MM / YY',
    maxlength: 9,
    testId: 'expiry',
    inputmode: 'text',
  },
  cvc: { label: 'CVC', placeholder: '123', maxlength: 4, testId: 'cvc' },
};

/** The three fields of a card. The first invalid one has the focus. Autocomplete is off, to keep real cards out. */
export function CardFields(entry: Partial<CardEntry>) {
  return (
    <div class="card-fields">
      <CardInput name="number" {...entry} />
      <div class="grid">
        <CardInput name="expiry" {...entry} />
        <CardInput name="cvc" {...entry} />
      </div>
    </div>
  );
}

type CardInputProps = Partial<CardEntry> & { readonly name: CardField };

function CardInput({ name, values = {}, findings = {} }: CardInputProps) {
  const { label, testId, ...input } = INPUTS[name];
  const finding = findings[name];
  const firstWrong = CARD_FIELDS.find((each) => findings[each] !== undefined);
  const findingId = `${name}-finding`;
  const explained = finding && { 'aria-invalid': 'true' as const, 'aria-describedby': findingId };
  return (
    <div>
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="text"
        inputmode="numeric"
        autocomplete="off"
        value={values[name]}
        data-testid={testId}
        autofocus={name === firstWrong}
        {...input}
        {...explained}
      />
      {finding !== undefined && (
        <small id={findingId} data-testid={`${testId}-error`}>
          {finding}
        </small>
      )}
    </div>
  );
}

interface TestCardsProps {
  /** The URL of the form that they fill. */
  readonly action: string;
}

/** The test cards and their outcomes. A click fills the form, by its URL. */
export function TestCards({ action }: TestCardsProps) {
  return (
    <section class="test-cards" aria-labelledby="test-cards" data-testid="test-cards">
      <h2 id="test-cards">Test cards</h2>
      <p class="muted">Choose one to fill in the form. Any future month and any CVC will do.</p>
      <form method="get" action={action}>
        {TEST_CARDS.map(({ number, about }) => (
          <button key={number} type="submit" class="plain" name="card" value={number}>
            <code>{number}</code> <span>{about}</span> <u aria-hidden="true">Fill in</u>
          </button>
        ))}
      </form>
    </section>
  );
}
