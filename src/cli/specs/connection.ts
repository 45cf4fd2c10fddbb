import { type Exclusions, mutuallyExclusive } from '../command-line/combinations.ts';
import { inGroup, switchOption, textOption } from '../command-line/option.ts';

/** Options of every command that calls a deployment. */
export const connectionOptions = {
  url: inGroup('connection', textOption('URL', 'Address of the deployment, or LOGQUARRY_URL')),
  user: inGroup('connection', textOption('NAME', 'User to sign in, or LOGQUARRY_USER')),
  passwordFile: inGroup(
    'connection',
    textOption(
      'FILE',
      'File with the password, which only its owner may read; or LOGQUARRY_PASSWORD_FILE, or the password itself in LOGQUARRY_PASSWORD',
    ),
  ),
  tokenFile: inGroup(
    'connection',
    textOption(
      'FILE',
      'File with a token, which only its owner may read; or LOGQUARRY_TOKEN_FILE, or the token itself in LOGQUARRY_TOKEN',
    ),
  ),
  tokenCommand: inGroup(
    'connection',
    textOption(
      'COMMAND',
      'Shell command that prints a token, run again if one is refused; or LOGQUARRY_TOKEN_COMMAND',
    ),
  ),
  referer: inGroup(
    'connection',
    textOption('URL', 'Referer that the token is bound to, or LOGQUARRY_REFERER'),
  ),
  profile: inGroup(
    'connection',
    textOption(
      'PROFILE',
      'Name of a profile, or a JSON file with url, user, password, token, expires, referer, ca, cert, key and proxy, which only its owner may read; or LOGQUARRY_PROFILE',
    ),
  ),
  ca: inGroup(
    'connection',
    textOption('FILE', 'Certificates in PEM of additional trusted authorities, or LOGQUARRY_CA'),
  ),
  cert: inGroup(
    'connection',
    textOption('FILE', 'Client certificate in PEM, if the deployment requires one, or LOGQUARRY_CERT'),
  ),
  key: inGroup(
    'connection',
    textOption(
      'FILE',
      'Private key of the client certificate in PEM, which only its owner may read; or LOGQUARRY_KEY (default: in the file of the certificate)',
    ),
  ),
  keyPasswordFile: inGroup(
    'connection',
    textOption(
      'FILE',
      'File with the passphrase of the key, which only its owner may read; or LOGQUARRY_KEY_PASSWORD_FILE, or the passphrase itself in LOGQUARRY_KEY_PASSWORD',
    ),
  ),
  proxy: inGroup(
    'connection',
    textOption(
      'URL',
      'Proxy for the deployment, or LOGQUARRY_PROXY; "none" for no proxy (default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY)',
    ),
  ),
  insecure: inGroup('connection', switchOption('Do not check the certificate of the deployment')),
} as const;

/**
 * At most one secret is used, a token names its user itself, and an unchecked certificate needs no
 * authority.
 */
export const connectionExclusions: Exclusions = {
  ...mutuallyExclusive('passwordFile', 'tokenFile', 'tokenCommand'),
  user: ['tokenFile', 'tokenCommand'],
  insecure: ['ca'],
};
