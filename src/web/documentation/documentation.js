// Shows a document with Swagger UI. Calls go to the emulator that serves this page, under the key given.
const place = document.getElementById('documentation');

// The bundle is no module: it hangs itself on the window.
const bundle = document.createElement('script');
bundle.src = place.dataset.bundle;
bundle.addEventListener('load', show);
document.head.append(bundle);

function show() {
  const { document: url, key } = place.dataset;
  const isReadOnly = place.hasAttribute('data-read-only');
  const ui = window.SwaggerUIBundle({
    url,
    domNode: place,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    filter: true,
    validatorUrl: null,
    tryItOutEnabled: !isReadOnly,
    ...(isReadOnly && { supportedSubmitMethods: [] }),
    onComplete: () => ui.preauthorizeApiKey('bearer', key),
  });
}
