// Shows a document with Swagger UI. Calls go to the emulator that serves this page, under the key given.
const place = document.getElementById('documentation');

// The bundle is no module: it hangs itself on the window.
const bundle = document.createElement('script');
bundle.src = place.dataset.bundle;
bundle.addEventListener('load', show);
document.head.append(bundle);

const dark = matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', colour);
colour();

function colour() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

// The page asks for the credentials of all operations.
const Nothing = () => null;

// The page around it has its own heading and main part, and there is one server: that of the page.
function frameless({ React: { createElement } }) {
  function Frameless({ getComponent, specSelectors }) {
    const part = (name, isContainer) => createElement(getComponent(name, isContainer));
    if (specSelectors.loadingStatus() !== 'success') return null;
    return createElement(
      'div',
      { className: 'swagger-ui' },
      part('SvgAssets'),
      part('operations', true),
    );
  }
  return {
    components: { Frameless },
    wrapComponents: { authorizeOperationBtn: () => Nothing },
  };
}

/**
 * Gives fields a name that lack one, lets the keyboard scroll examples, and takes tables of answers, one for
 * each operation, from the landmarks.
 */
function mend() {
  for (const field of place.querySelectorAll('select, textarea'))
    if (field.labels.length === 0) field.ariaLabel ??= nameOf(field);
  for (const example of place.querySelectorAll('pre')) example.tabIndex = 0;
  for (const table of place.querySelectorAll('table[role]')) table.removeAttribute('role');
}

const nameOf = (field) => (field.matches('.examples-select-element') ? 'Example' : 'Value');

new MutationObserver(mend).observe(place, { childList: true, subtree: true });

function show() {
  const { document: url, key } = place.dataset;
  const isReadOnly = place.hasAttribute('data-read-only');
  const ui = window.SwaggerUIBundle({
    url,
    domNode: place,
    plugins: [frameless],
    layout: 'Frameless',
    // Links within buttons would be out of reach for the keyboard.
    deepLinking: false,
    docExpansion: 'list',
    displayRequestDuration: true,
    syntaxHighlight: false,
    validatorUrl: null,
    tryItOutEnabled: !isReadOnly,
    ...(isReadOnly && { supportedSubmitMethods: [] }),
    onComplete() {
      ui.preauthorizeApiKey('bearer', key);
      useToken(ui);
      place.dataset.ready = '';
    },
  });
}

/** Sends what stands in the field of the token with each call. */
function useToken(ui) {
  const field = document.getElementById('token');
  const use = () => ui.preauthorizeApiKey('adminToken', field.value);
  field?.addEventListener('input', use);
  if (field) use();
}
