import type { ComponentProps, VNode } from 'preact';
import type { CardField, Correction } from './card-form.ts';
import { TEST_CARDS } from './test-cards.ts';

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

/** The three fields of a card. Browsers are kept from filling in a real one. */
export function CardFields({ findings = {}, expiry = '' }: Partial<Correction>): VNode {
  return (
    <div class="card-fields">
      <CardInput name="number" finding={findings.number} />
      <div class="grid">
        <CardInput name="expiry" value={expiry} finding={findings.expiry} />
        <CardInput name="cvc" finding={findings.cvc} />
      </div>
    </div>
  );
}

interface CardInputProps {
  readonly name: CardField;
  readonly value?: string;
  readonly finding: string | undefined;
}

function CardInput({ name, value, finding }: CardInputProps): VNode {
  const { label, testId, ...input } = INPUTS[name];
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
        value={value}
        data-testid={testId}
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

/** The cards that work, with what each is for. */
export function TestCards(): VNode {
  return (
    <section class="test-cards" aria-labelledby="test-cards" data-testid="test-cards">
      <h2 id="test-cards">Test cards</h2>
      <p>Any month to come and any CVC will do.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Number</th>
            <th scope="col">What happens</th>
          </tr>
        </thead>
        <tbody>
          {TEST_CARDS.map(({ number, about }) => (
            <tr key={number}>
              <td>
                <code>{number}</code>
              </td>
              <td>{about}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
