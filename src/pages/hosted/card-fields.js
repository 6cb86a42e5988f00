// Inserts spaces into card numbers and expiry dates while typing. A click on a test card fills in the payment form.
const FORMATS = {
  number: (digits) => digits.match(/.{1,4}/g)?.join(' ') ?? '',
  expiry(digits) {
    const all = /^[2-9]/.test(digits) ? `0${digits}` : digits;
    return all.length < 2 ? all : `${all.slice(0, 2)} / ${all.slice(2, 6)}`;
  },
};

document.addEventListener('input', ({ target, inputType = '' }) => {
  const format = FORMATS[target.name];
  const { value } = target;
  if (!format || inputType.startsWith('delete') || /[^\d\s/-]/.test(value)) return;
  const caret = target.selectionStart ?? value.length;
  const isAtEnd = caret === value.length;
  // A slash completes a month of one digit.
  const spaced = target.name === 'expiry' ? value.replace(/^\s*(\d)\s*\//, '0$1/') : value;
  const text = format(spaced.replace(/\D/g, ''));
  if (text === value) return;
  target.value = text;
  const place = isAtEnd
    ? text.length
    : placeAfter(text, value.slice(0, caret).match(/\d/g)?.length ?? 0);
  target.setSelectionRange(place, place);
});

/** Returns the position in a text after this number of digits. */
function placeAfter(text, digits) {
  let left = digits;
  for (let place = 0; place < text.length; place += 1) {
    if (left === 0) return place;
    if (/\d/.test(text[place])) left -= 1;
  }
  return text.length;
}

document.addEventListener('click', (event) => {
  const card = event.target.closest('.test-cards button');
  const form = document.querySelector('form:has(.card-fields)');
  if (!card || !form) return;
  event.preventDefault();
  const { expiry, cvc } = card.form.dataset;
  const values = { number: card.value, expiry, cvc };
  for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
  form.elements.method.value = 'card';
  form.querySelector('[type="submit"]').focus();
});
