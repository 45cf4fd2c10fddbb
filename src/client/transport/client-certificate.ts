import { createPrivateKey, X509Certificate } from 'node:crypto';
import { ClientError } from './client-error.ts';

/** A client certificate with its key, for deployments that require one. Holds a secret. */
export interface Identity {
  /** The certificate in PEM, those of intermediate authorities behind it. */
  readonly certificate: string;
  /** The private key in PEM. */
  readonly key: string;
  /** Passphrase of an encrypted key. */
  readonly passphrase?: string | undefined;
}

/** Checks that an identity is valid now, and returns it. Throws a `ClientError` with the code `CLIENT_CERTIFICATE`. */
export function checkedIdentity(identity: Identity, now: number): Identity {
  const certificate = readCertificate(identity.certificate);
  const key = readKey(identity);
  if (!certificate.checkPrivateKey(key))
    throw problem('The key of "--key" is not that of the certificate of "--cert"');
  if (Date.parse(certificate.validTo) < now)
    throw problem(`The certificate of "--cert" expired on ${certificate.validTo}: a new one is required`);
  if (now < Date.parse(certificate.validFrom))
    throw problem(
      `The certificate of "--cert" is valid from ${certificate.validFrom} on: check the clock of this machine`,
    );
  return identity;
}

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw problem('The file of "--cert" requires a certificate in PEM form');
  }
}

function readKey({ key, passphrase }: Identity) {
  try {
    return createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
  } catch {
    // The reason is not shown: it is OpenSSL's, and the key is a secret.
    const isEncrypted = isEncryptedKey(key);
    throw problem(
      isEncrypted
        ? 'The key of "--key" cannot be decrypted: check its passphrase'
        : 'The file of "--key" requires a private key in PEM form',
    );
  }
}

/** Reports if a private key in PEM requires a passphrase. */
export function isEncryptedKey(pem: string): boolean {
  return /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem);
}

function problem(message: string): ClientError {
  return new ClientError('CLIENT_CERTIFICATE', message, { arrived: false });
}
