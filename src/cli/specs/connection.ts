import { type Exclusions, eachOther } from '../command-line/combinations.ts';
import { text, toggle } from '../command-line/option.ts';

/** The options of every command that calls a deployment. */
export const connectionOptions = {
  url: text('URL', 'Address of the deployment, or LOGQUARRY_URL'),
  user: text('NAME', 'Who signs in, or LOGQUARRY_USER'),
  passwordFile: text(
    'FILE',
    'File that holds the password and only its owner may read, or LOGQUARRY_PASSWORD_FILE, or the password itself in LOGQUARRY_PASSWORD',
  ),
  tokenFile: text(
    'FILE',
    'File that holds a token and only its owner may read, or LOGQUARRY_TOKEN_FILE, or the token itself in LOGQUARRY_TOKEN',
  ),
  tokenCommand: text(
    'COMMAND',
    'Shell command that prints a token, run again when one is refused, or LOGQUARRY_TOKEN_COMMAND',
  ),
  referer: text('URL', 'Referer that the token is bound to, or LOGQUARRY_REFERER'),
  profile: text(
    'PROFILE',
    'Name of a profile, or a JSON file with url, user, password, token, expires, referer, ca, cert, key and proxy, which only its owner may read; or LOGQUARRY_PROFILE',
  ),
  ca: text(
    'FILE',
    'Certificates in PEM form of authorities to trust besides the known ones, or LOGQUARRY_CA',
  ),
  cert: text('FILE', 'Client certificate in PEM form, where the deployment asks for one, or LOGQUARRY_CERT'),
  key: text(
    'FILE',
    'Its private key in PEM form, which only its owner may read; unless given, in the file of the certificate; or LOGQUARRY_KEY',
  ),
  keyPasswordFile: text(
    'FILE',
    'File that holds the passphrase of the key and only its owner may read, or LOGQUARRY_KEY_PASSWORD_FILE, or the passphrase itself in LOGQUARRY_KEY_PASSWORD',
  ),
  proxy: text(
    'URL',
    'Reach the deployment through this proxy, or LOGQUARRY_PROXY; "none" for no proxy; unless given, as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say',
  ),
  insecure: toggle('Do not check the certificate of the deployment'),
} as const;

/** There is one secret, a token says by itself whose it is, and what is not checked needs no authority. */
export const connectionExclusions: Exclusions = {
  ...eachOther('passwordFile', 'tokenFile', 'tokenCommand'),
  user: ['tokenFile', 'tokenCommand'],
  insecure: ['ca'],
};
