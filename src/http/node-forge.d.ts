// The types of the package describe it as a whole; these are the parts of it that are bundled.
declare module 'node-forge/lib/pki.js' {
  import { pki } from 'node-forge';

  export default pki;
}

declare module 'node-forge/lib/sha256.js' {
  import { md } from 'node-forge';

  const sha256: typeof md.sha256;
  export default sha256;
}
