import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Seal, Signature } from './seal.ts';
import { SealError } from './seal-error.ts';

/** Signs a statement with an Ed25519 key in PEM (PKCS #8). Throws a `SealError` for any other key. */
export function signStatement(statement: string, key: string): Signature {
  const secret = readKey(() => createPrivateKey(key));
  const publicKey = createPublicKey(secret).export({ type: 'spki', format: 'der' });
  const value = sign(null, Buffer.from(statement), secret);
  return { algorithm: 'Ed25519', publicKey: publicKey.toString('base64'), value: value.toString('base64') };
}

/** Checks the signature of a seal against the public key that it names. */
export function isSigned({ statement }: Seal, { publicKey, value }: Signature): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, Buffer.from(statement), key, Buffer.from(value, 'base64'));
  } catch {
    // The key or the signature is malformed.
    return false;
  }
}

/** The fingerprint of the key of a signature: SHA-256 of its SPKI in DER, hexadecimal. */
export function fingerprintOf({ publicKey }: Signature): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');
}

/**
 * True if a signature has this key: a public key, or the public half of a private one, in PEM. Throws a
 * `SealError` if that is no Ed25519 key.
 */
export function isKeyOf({ publicKey }: Signature, pem: string): boolean {
  const key = readKey(() => createPublicKey(pem));
  return key.export({ type: 'spki', format: 'der' }).equals(Buffer.from(publicKey, 'base64'));
}

function readKey(read: () => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch (error) {
    throw new SealError('BAD_KEY', unreadable, { cause: error });
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new SealError(
    'BAD_KEY',
    `The key must be an Ed25519 key, unlike ${key.asymmetricKeyType}; ${advice}`,
  );
}

const advice = '"openssl genpkey -algorithm ed25519 -out seal.key" makes one';
const unreadable = `The key cannot be read: it must be an Ed25519 key in PEM without a passphrase; ${advice}`;
