import { isIP } from 'node:net';
import type { pki as Pki } from 'node-forge';
import pki from 'node-forge/lib/pki.js';
import sha256 from 'node-forge/lib/sha256.js';
import { machineTime } from '../config/machine-time.ts';
import { randomSecret } from '../store/ids.ts';

/** A certificate and its private key, both as PEM. */
export interface CertificateAndKey {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
/** Apple's systems accept no more from an authority that a user has added. @units days */
const CERTIFICATE_DAYS = 820;

/** Creates a certificate authority of its own. */
export async function createAuthority(): Promise<CertificateAndKey> {
  const keys = await createKeys();
  const certificate = prepare(keys, 'billing-emulator authority', AUTHORITY_DAYS);
  certificate.setIssuer(certificate.subject.attributes);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  return signed(certificate, keys.privateKey, keys.privateKey);
}

/** Reads an authority that was kept. @throws Error where it is not a certificate and its key, as PEM */
export function readAuthority(text: string): CertificateAndKey {
  const [cert = '', key = ''] = text.split(/(?=-----BEGIN [A-Z ]*PRIVATE KEY)/);
  pki.certificateFromPem(cert);
  pki.privateKeyFromPem(key);
  return { cert, key };
}

/** Creates a certificate for a server with these names and addresses. */
export async function issueCertificate(
  authority: CertificateAndKey,
  names: readonly string[],
): Promise<CertificateAndKey> {
  const issuer = pki.certificateFromPem(authority.cert);
  const issuerKey = pki.privateKeyFromPem(authority.key);
  const keys = await createKeys();
  const certificate = prepare(keys, 'billing-emulator', CERTIFICATE_DAYS);
  certificate.setIssuer(issuer.subject.attributes);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: names.map(altName) },
    { name: 'authorityKeyIdentifier', keyIdentifier: keyIdentifierOf(issuer) },
  ]);
  return signed(certificate, issuerKey, keys.privateKey);
}

const createKeys = (): Promise<Pki.rsa.KeyPair> =>
  new Promise((resolve, reject) => {
    pki.rsa.generateKeyPair({ bits: 2048 }, (error, keys) =>
      error ? reject(error) : resolve(keys),
    );
  });

function prepare({ publicKey }: Pki.rsa.KeyPair, name: string, days: number): Pki.Certificate {
  const certificate = pki.createCertificate();
  certificate.publicKey = publicKey;
  // Random, because browsers reject two certificates of one authority with the same number. It begins with a positive byte.
  certificate.serialNumber = `01${Buffer.from(randomSecret()).toString('hex').slice(0, 30)}`;
  // A clock that is slow by hours accepts it too.
  certificate.validity.notBefore = new Date(machineTime() - DAY_MS);
  certificate.validity.notAfter = new Date(machineTime() + days * DAY_MS);
  certificate.setSubject([{ name: 'commonName', value: name }]);
  return certificate;
}

function signed(
  certificate: Pki.Certificate,
  by: Pki.rsa.PrivateKey,
  key: Pki.rsa.PrivateKey,
): CertificateAndKey {
  certificate.sign(by, sha256.create());
  return { cert: pki.certificateToPem(certificate), key: pki.privateKeyToPem(key) };
}

const keyIdentifierOf = (issuer: Pki.Certificate): string =>
  issuer.generateSubjectKeyIdentifier().getBytes();

/** A name of the certificate: an address or the name of a host, of the types that X.509 numbers so. */
const altName = (name: string) =>
  isIP(name) > 0 ? { type: 7, ip: name } : { type: 2, value: name };
