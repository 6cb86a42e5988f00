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
    wrapComponents: { TextArea: named, responses: unmarked, authorizeOperationBtn: () => Nothing },
  };
}

/** Gives fields of bodies a name, which they lack. */
function named(TextArea, { React: { createElement } }) {
  return (properties) => createElement(TextArea, { 'aria-label': 'Value', ...properties });
}

/** Tables of answers are no landmarks: there is one for each open operation. */
function unmarked(Responses, { React: { createElement } }) {
  const unmark = (node) => {
    for (const table of node?.querySelectorAll('table[role]') ?? []) table.removeAttribute('role');
  };
  return (properties) =>
    createElement('div', { ref: (node) => unmark(node) }, createElement(Responses, properties));
}

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
