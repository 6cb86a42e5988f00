// Shows an OpenAPI document with Swagger UI. Calls go to the emulator that serves this page, with its key.
const place = document.getElementById('documentation');

// The bundle is not a module: it sets a property of the window.
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

// Removes the button for the credentials of one operation: those of the page apply to all.
const Nothing = () => null;

// A layout of operations only: the page has its own heading and main element, and there is only one server.
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
 * Labels fields without a label, makes examples scrollable by keyboard, and removes the role of response tables,
 * which would make each operation a landmark.
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
    // The keyboard cannot reach links inside buttons.
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

/** Sends the value of the token field with each call. */
function useToken(ui) {
  const field = document.getElementById('token');
  const use = () => ui.preauthorizeApiKey('adminToken', field.value);
  field?.addEventListener('input', use);
  if (field) use();
}
