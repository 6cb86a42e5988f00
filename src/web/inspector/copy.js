// Puts a button beside every text that is made to be copied. Without a script it can be marked and copied.
for (const text of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'secondary outline';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${text.dataset.copy}`);
  button.addEventListener('click', () => void copy(text, button));
  text.before(button);
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(text);
  }
}
