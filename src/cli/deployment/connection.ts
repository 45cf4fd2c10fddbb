import { stat } from 'node:fs/promises';
import { type Credentials, type Identity, isEncryptedKey, type NetworkOptions } from '../../client/index.ts';
import { type Addresses, addressesOf } from '../../protocol/index.ts';
import type { OptionValues } from '../command-line/option.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readText } from '../input/read-text.ts';
import type { connectionOptions } from '../specs/connection.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isLoopback } from './is-loopback.ts';
import { checkMode, type Profile, readProfile } from './profile.ts';
import { proxyRules } from './proxy-rules.ts';
import { runForToken } from './token-command.ts';

/** How to reach a deployment and as whom. Holds a secret. */
export interface Connection {
  readonly addresses: Addresses;
  readonly credentials: Credentials;
  readonly network: NetworkOptions;
}

type Options = OptionValues<typeof connectionOptions>;

/** What each setting is looked up in, the first that has it counts: options, environment, profile. */
interface Sources {
  readonly options: Options;
  /** A variable of the environment; an empty one is none. */
  readonly variable: (name: string) => string | undefined;
  readonly profile: Profile;
}

/** Puts together how to reach the deployment. Says so aloud when its certificate is not to be checked. */
export async function readConnection(options: Options, terminal: Terminal): Promise<Connection> {
  return withCredentials(await readPlace(options, terminal), terminal);
}

/** The same for someone who shows nothing to the deployment. */
export async function readAnonymousConnection(options: Options, terminal: Terminal): Promise<Connection> {
  const { sources: _, ...place } = await readPlace(options, terminal);
  return { ...place, credentials: { kind: 'none' } };
}

/** The same for what a deployment may show to everyone: where nobody is named, it is asked whether someone has to be. */
export async function readOptionalConnection(
  options: Options,
  terminal: Terminal,
  isRequired: (anonymous: Connection) => Promise<boolean>,
): Promise<Connection> {
  const place = await readPlace(options, terminal);
  const { sources, ...known } = place;
  const anonymous: Connection = { ...known, credentials: { kind: 'none' } };
  const isNobody = userOf(sources) === undefined && (await secretFrom(sources)) === undefined;
  if (isNobody && !(await isRequired(anonymous))) return anonymous;
  return withCredentials(place, terminal);
}

/** Says so aloud when others can read the credentials on their way. */
async function withCredentials(
  { sources, ...place }: Awaited<ReturnType<typeof readPlace>>,
  terminal: Terminal,
): Promise<Connection> {
  const credentials = await credentialsFrom(sources, terminal);
  const { protocol, hostname } = new URL(place.addresses.root);
  if (protocol === 'http:' && !isLoopback(hostname)) warnUnencrypted(terminal);
  return { ...place, credentials };
}

function userOf({ options, variable, profile }: Sources): string | undefined {
  return options.user ?? variable('LOGQUARRY_USER') ?? profile.user;
}

async function readPlace(options: Options, terminal: Terminal) {
  const { environment } = terminal;
  const variable = (name: string) => environment[name] || undefined;
  const sources: Sources = { options, variable, profile: await readProfile(options.profile, environment) };
  const addresses = addressesFrom(sources);
  const network = await networkFrom(sources, terminal);
  if (network.insecure) warnInsecure(terminal);
  return { addresses, network, sources };
}

function addressesFrom({ options, variable, profile }: Sources): Addresses {
  const url = options.url ?? variable('LOGQUARRY_URL') ?? profile.url;
  if (url === undefined) {
    throw new UsageError(
      'The address of the deployment is required: "--url URL", LOGQUARRY_URL or a profile',
    );
  }
  const addresses = addressesOf(url);
  if ('problem' in addresses) throw new UsageError(addresses.problem);
  return addresses;
}

async function networkFrom(sources: Sources, terminal: Terminal): Promise<NetworkOptions> {
  const { options, variable, profile } = sources;
  const ca = options.ca ?? variable('LOGQUARRY_CA') ?? profile.ca;
  const proxy = proxyRules(options.proxy ?? variable('LOGQUARRY_PROXY') ?? profile.proxy, variable);
  const identity = await identityFrom(sources, terminal);
  return {
    insecure: options.insecure,
    ...(proxy && { proxy }),
    ...(identity && { identity }),
    ...(ca !== undefined && { authorities: await readText(ca, '--ca') }),
  };
}

async function credentialsFrom(sources: Sources, terminal: Terminal): Promise<Credentials> {
  const secret = await secretFrom(sources);
  const { options, variable, profile } = sources;
  const referer = options.referer ?? variable('LOGQUARRY_REFERER') ?? profile.referer;
  if (secret?.kind === 'token')
    return { kind: 'token', token: secret.value, expires: secret.expires, referer };
  if (secret?.kind === 'command')
    return { kind: 'supplied', supply: () => runForToken(secret.value), referer };
  const username = userOf(sources);
  if (username === undefined) {
    throw new UsageError('A user is required, "--user NAME", LOGQUARRY_USER or a profile; or else a token');
  }
  const password = secret?.value ?? (await terminal.askSecret?.(`Password of "${username}": `));
  if (password === undefined) {
    throw new UsageError(
      `The password of "${username}" is required: "--password-file FILE", LOGQUARRY_PASSWORD, LOGQUARRY_PASSWORD_FILE or a profile`,
    );
  }
  return { kind: 'password', username, password, ...(referer !== undefined && { referer }) };
}

interface Secret {
  /** A command is no secret, but gives one. */
  readonly kind: 'token' | 'password' | 'command';
  readonly value: string;
  /** When a token ends, milliseconds since the epoch, where that is known. */
  readonly expires?: number | undefined;
}

async function secretFrom({ options, variable, profile }: Sources): Promise<Secret | undefined> {
  const fromFile = async (kind: Secret['kind'], path: string | undefined, name: string) =>
    path === undefined ? undefined : { kind, value: await readSecret(path, name) };
  const given = (kind: Secret['kind'], value: string | undefined): Secret | undefined =>
    value === undefined ? undefined : { kind, value };
  return (
    (await fromFile('token', options.tokenFile, '--token-file')) ??
    (await fromFile('password', options.passwordFile, '--password-file')) ??
    given('command', options.tokenCommand) ??
    given('token', variable('LOGQUARRY_TOKEN')) ??
    (await fromFile('token', variable('LOGQUARRY_TOKEN_FILE'), 'LOGQUARRY_TOKEN_FILE')) ??
    given('command', variable('LOGQUARRY_TOKEN_COMMAND')) ??
    given('password', variable('LOGQUARRY_PASSWORD')) ??
    (await fromFile('password', variable('LOGQUARRY_PASSWORD_FILE'), 'LOGQUARRY_PASSWORD_FILE')) ??
    tokenOf(profile) ??
    given('password', profile.password)
  );
}

/** The token of a profile. A time of its end that cannot be read is not known. */
function tokenOf({ token, expires = '' }: Profile): Secret | undefined {
  if (token === undefined) return undefined;
  const ends = Date.parse(expires);
  return { kind: 'token', value: token, ...(!Number.isNaN(ends) && { expires: ends }) };
}

async function identityFrom(sources: Sources, terminal: Terminal): Promise<Identity | undefined> {
  const { options, variable, profile } = sources;
  const cert = options.cert ?? variable('LOGQUARRY_CERT') ?? profile.cert;
  const own = options.key ?? variable('LOGQUARRY_KEY') ?? profile.key;
  if (cert === undefined) {
    if (own === undefined) return undefined;
    throw new UsageError('"--key" requires "--cert", the certificate that it is the key of');
  }
  const path = own ?? cert;
  const key = await readText(path, own === undefined ? '--cert' : '--key');
  if (!key.includes('PRIVATE KEY-----')) {
    const what =
      own === undefined ? 'holds no private key, so "--key" is required' : 'holds no private key in PEM form';
    throw new UsageError(`The file "${path}" ${what}`);
  }
  checkMode('The key', path, (await stat(path)).mode);
  const passphrase = isEncryptedKey(key) ? await passphraseFrom(sources, path, terminal) : undefined;
  return {
    certificate: await readText(cert, '--cert'),
    key,
    ...(passphrase !== undefined && { passphrase }),
  };
}

async function passphraseFrom(
  { options, variable }: Sources,
  path: string,
  terminal: Terminal,
): Promise<string> {
  const file = options.keyPasswordFile ?? variable('LOGQUARRY_KEY_PASSWORD_FILE');
  const given = options.keyPasswordFile === undefined ? variable('LOGQUARRY_KEY_PASSWORD') : undefined;
  const passphrase =
    given ??
    (file === undefined
      ? await terminal.askSecret?.(`Passphrase of the key "${path}": `)
      : await readSecret(file, '--key-password-file'));
  if (passphrase !== undefined) return passphrase;
  throw new UsageError(
    `The passphrase of the key "${path}" is required: "--key-password-file FILE" or LOGQUARRY_KEY_PASSWORD`,
  );
}

/**
 * A secret of a file, without the line break that editors put behind it. As ssh
 * does, it refuses a file of this user that others can read; one of another user,
 * as those that a container is given, cannot be mended here.
 */
export async function readSecret(path: string, name: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() && found.uid === process.getuid?.())
    checkMode(`The file of "${name}"`, path, found.mode);
  const secret = (await readText(path, name)).replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(`The file "${path}" of "${name}" is empty`);
  return secret;
}

function warnUnencrypted({ say, talk }: Terminal): void {
  say(
    `${talk.style.red('WARNING')}: The address begins with "http:", so nothing is encrypted. Whoever stands between can read the password, the token and the logs.`,
  );
}

function warnInsecure({ say, talk }: Terminal): void {
  say(
    `${talk.style.red('WARNING')}: "--insecure" is given, so the certificate of the deployment is NOT checked. Whoever stands between can read the password and change the logs. "--ca FILE" is the safe way to trust a certificate of one's own.`,
  );
}
