import type { VNode } from 'preact';
import type { CardField, CardFindings } from './card-form.ts';
import { TEST_CARDS } from './test-cards.ts';

interface FieldProps {
  readonly name: CardField;
  readonly label: string;
  readonly placeholder: string;
  readonly maxlength: number;
  readonly value?: string;
  readonly finding: string | undefined;
}

/** The three fields of a card. Browsers are kept from filling in a real one. */
export function CardFields({
  findings = {},
  expiry = '',
}: {
  readonly findings?: CardFindings;
  readonly expiry?: string;
}): VNode {
  return (
    <div class="card-fields">
      <Field
        name="number"
        label="Card number"
        placeholder="4242 4242 4242 4242"
        maxlength={32}
        finding={findings.number}
      />
      <div class="grid">
        <Field
          name="expiry"
          label="Expiry"
          placeholder="MM / YY"
          maxlength={9}
          value={expiry}
          finding={findings.expiry}
        />
        <Field name="cvc" label="CVC" placeholder="123" maxlength={4} finding={findings.cvc} />
      </div>
    </div>
  );
}

function Field({ name, label, placeholder, maxlength, value, finding }: FieldProps): VNode {
  const testId = name === 'number' ? 'card-number' : name;
  const explained = finding === undefined ? {} : { 'aria-describedby': `${name}-finding` };
  return (
    <div>
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type="text"
        inputmode={name === 'expiry' ? 'text' : 'numeric'}
        autocomplete="off"
        placeholder={placeholder}
        maxlength={maxlength}
        value={value}
        data-testid={testId}
        {...(finding !== undefined && { 'aria-invalid': 'true' })}
        {...explained}
      />
      {finding !== undefined && (
        <small id={`${name}-finding`} data-testid={`${testId}-error`}>
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
