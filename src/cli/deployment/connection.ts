import { exec } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  type Credentials,
  type Identity,
  isEncryptedKey,
  type NetworkOptions,
  type ProxyRules,
  toProxyAddress,
} from '../../client/index.ts';
import { type Addresses, addressesOf } from '../../protocol/index.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { readTextFile } from '../command-line/files.ts';
import type { OptionValues } from '../command-line/option.ts';
import type { connectionOptions } from '../specs/options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  type ConnectionProfile,
  checkFileMode,
  readChosenProfile,
  readDefaultProfile,
  readKeyRingSecret,
  readSecret,
  rootAddressOf,
  type StoredProfile,
} from './profile.ts';

/** Addresses, credentials and network settings of a deployment. Holds a secret. */
export interface Connection {
  readonly addresses: Addresses;
  readonly credentials: Credentials;
  readonly network: NetworkOptions;
}

type Options = OptionValues<typeof connectionOptions>;

/** Sources of settings. */
interface Sources {
  readonly options: Options;
  readonly layers: readonly SettingLayer[];
  /** Returns the first value of a setting. */
  readonly setting: (name: SettingName) => string | undefined;
  /** Returns an environment variable; an empty one counts as unset. */
  readonly variable: (name: string) => string | undefined;
}

/** Reads the connection to a deployment. Warns loudly if its certificate is not checked. */
export async function readConnection(
  options: Options,
  terminal: Terminal,
  purpose: Purpose = {},
): Promise<Connection> {
  return withCredentials(await readPlace(options, terminal), terminal, purpose);
}

/** Purpose of the credentials, if it is not an ordinary call. */
interface Purpose extends Omit<SecretWanted, 'user'> {
  /** True if the token is about to be revoked, so that its expiry is not reported. */
  readonly isLast?: boolean;
}

/** Reads the connection without any credentials. */
export async function readAnonymousConnection(options: Options, terminal: Terminal): Promise<Connection> {
  const { sources: _, ...target } = await readPlace(options, terminal);
  return { ...target, credentials: { kind: 'none' } };
}

/**
 * Reads the connection to a resource that may be public: without a user, `isRequired` decides if one
 * is needed.
 */
export async function readOptionalConnection(
  options: Options,
  terminal: Terminal,
  isRequired: (anonymous: Connection) => Promise<boolean>,
): Promise<Connection> {
  const target = await readPlace(options, terminal);
  const { sources, ...known } = target;
  const anonymous: Connection = { ...known, credentials: { kind: 'none' } };
  const isNobody = sources.setting('user') === undefined && !secretFrom(sources);
  if (isNobody && !(await isRequired(anonymous))) return anonymous;
  return withCredentials(target, terminal);
}

/** Adds the credentials. Warns loudly if they would be sent unencrypted. */
async function withCredentials(
  { sources, ...target }: Awaited<ReturnType<typeof readPlace>>,
  terminal: Terminal,
  purpose: Purpose = {},
): Promise<Connection> {
  const credentials = await credentialsFrom(sources, { root: target.addresses.root, terminal, ...purpose });
  const { protocol, hostname } = new URL(target.addresses.root);
  if (protocol === 'http:' && !isLoopback(hostname)) warnUnencrypted(terminal);
  return { ...target, credentials };
}

async function readPlace(options: Options, terminal: Terminal) {
  const { environment } = terminal;
  const all = await readSettingLayers(options, environment);
  const addresses = addressesFrom(all);
  const layers = all.filter((layer) => isLayerOf(layer, addresses.root));
  const sources: Sources = {
    options,
    layers,
    // Certificate authorities and proxies are not sent to the deployment, so any layer may set them.
    setting: (name) =>
      (name === 'ca' || name === 'proxy' ? all : layers).map(({ settings }) => settings[name]).find(isGiven),
    variable: (name) => environment[name] || undefined,
  };
  const left = all.filter((layer) => !layers.includes(layer));
  const network = await networkFrom(sources, terminal);
  if (network.insecure) warnInsecure(terminal);
  return { addresses, network, sources: { ...sources, left } };
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined;
}

function addressesFrom(layers: readonly SettingLayer[]): Addresses {
  const url = layers.map(({ settings }) => settings.url).find(isGiven);
  if (url === undefined) {
    throw new UsageError('The address of the deployment is required: --url URL, LOGQUARRY_URL or a profile');
  }
  const addresses = addressesOf(url);
  if ('problem' in addresses) throw new UsageError(addresses.problem);
  return addresses;
}

async function networkFrom(sources: Sources, terminal: Terminal): Promise<NetworkOptions> {
  const { options, setting, variable } = sources;
  const ca = setting('ca');
  const proxy = readProxyRules(setting('proxy'), variable);
  const identity = await identityFrom(sources, terminal);
  return {
    insecure: options.insecure,
    ...(proxy && { proxy }),
    ...(identity && { identity }),
    ...(ca !== undefined && { authorities: await readTextFile(ca, '--ca') }),
  };
}

interface CredentialsWanted extends Purpose {
  readonly root: string;
  readonly terminal: Terminal;
}

async function credentialsFrom(
  sources: Sources & { readonly left: readonly SettingLayer[] },
  { root, terminal, isNew = false, isLast = false }: CredentialsWanted,
): Promise<Credentials> {
  const { setting, left } = sources;
  const secret = secretFrom(sources, { isNew });
  if (secret && !isLast) reportTokenExpiry(secret, terminal);
  const referer = setting('referer');
  if (secret?.kind === 'token')
    return { kind: 'token', token: await secret.read(), expires: secret.expires, referer };
  if (secret?.kind === 'command') {
    const command = await secret.read();
    return { kind: 'supplied', supply: () => runTokenCommand(command), referer };
  }
  const username = setting('user');
  if (username === undefined) {
    throw new UsageError(
      `A user is required, by --user NAME, LOGQUARRY_USER or a profile, or else a token${unused(left, root)}`,
    );
  }
  const password = secret ? await secret.read() : await terminal.askSecret?.(`Password of "${username}": `);
  if (password === undefined) {
    throw new UsageError(
      `The password of "${username}" is required: --password-file FILE, LOGQUARRY_PASSWORD, LOGQUARRY_PASSWORD_FILE or a profile${unused(left, root)}`,
    );
  }
  return { kind: 'password', username, password, ...(referer !== undefined && { referer }) };
}

function secretFrom({ layers, setting }: Sources, purpose: Purpose = {}) {
  return chooseSecret(layers, { user: setting('user'), ...purpose });
}

/** Names settings that were ignored because they belong to another deployment; the end of a sentence. */
function unused(left: readonly SettingLayer[], root: string): string {
  return left
    .filter(({ settings, secrets }) => settings.user !== undefined || secrets.length > 0)
    .map(
      ({ name, settings }) =>
        `. The credentials of ${name} are for "${rootAddressOf(settings.url)}" and not sent to "${root}"`,
    )
    .join('');
}

async function identityFrom(sources: Sources, terminal: Terminal): Promise<Identity | undefined> {
  const cert = sources.setting('cert');
  const own = sources.setting('key');
  if (cert === undefined) {
    if (own === undefined) return undefined;
    throw new UsageError('--key requires --cert, the certificate of the key');
  }
  const path = own ?? cert;
  const key = await readTextFile(path, own === undefined ? '--cert' : '--key');
  if (!key.includes('PRIVATE KEY-----')) {
    const what =
      own === undefined ? 'holds no private key, so --key is required' : 'holds no private key in PEM form';
    throw new UsageError(`The file "${path}" ${what}`);
  }
  checkFileMode('The key', path, (await stat(path)).mode);
  const passphrase = isEncryptedKey(key) ? await passphraseFrom(sources, path, terminal) : undefined;
  return {
    certificate: await readTextFile(cert, '--cert'),
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
  const environmentPassphrase =
    options.keyPasswordFile === undefined ? variable('LOGQUARRY_KEY_PASSWORD') : undefined;
  const passphrase =
    environmentPassphrase ??
    (file === undefined
      ? await terminal.askSecret?.(`Passphrase of the key "${path}": `)
      : await readSecret(file, '--key-password-file'));
  if (passphrase !== undefined) return passphrase;
  throw new UsageError(
    `The passphrase of the key "${path}" is required: --key-password-file FILE or LOGQUARRY_KEY_PASSWORD`,
  );
}

function warnUnencrypted({ message, stderr }: Terminal): void {
  message(
    `${stderr.style.red('WARNING')}: The address begins with "http:", so nothing is encrypted. Anyone on the network path can read the password, the token and the logs.`,
  );
}

function warnInsecure({ message, stderr }: Terminal): void {
  message(
    `${stderr.style.red('WARNING')}: --insecure is given, so the certificate of the deployment is NOT checked. Anyone on the network path can read the password and change the logs. --ca FILE is the safe way to trust your own certificate.`,
  );
}

/** The text settings of options, environment and profiles. */
type SettingName = 'url' | 'user' | 'referer' | 'ca' | 'cert' | 'key' | 'proxy';

/** A secret and how to read it. */
interface SecretSource {
  /** A command is not a secret, but prints one. */
  readonly kind: 'token' | 'password' | 'command';
  /** Expiry of a token, milliseconds since the epoch; absent if unknown. */
  readonly expires?: number;
  readonly read: () => Promise<string>;
}

/** One source of settings, with its values. */
interface SettingLayer {
  /** Name in a sentence: `the profile "gis"`. */
  readonly name: string;
  readonly isProfile: boolean;
  readonly settings: Readonly<Partial<Record<SettingName, string>>>;
  /** Secrets by descending priority. */
  readonly secrets: readonly SecretSource[];
}

type SettingLayersOptions = OptionValues<typeof connectionOptions>;

/**
 * Reads the sources of settings by descending priority: the command line, its profile, the
 * environment, the default profile.
 */
async function readSettingLayers(
  options: SettingLayersOptions,
  environment: Terminal['environment'],
): Promise<readonly SettingLayer[]> {
  const chosen =
    options.profile === undefined ? undefined : await readChosenProfile(options.profile, environment);
  // The default profile is ignored if one is chosen.
  const otherwise = chosen ? undefined : await readDefaultProfile(environment);
  const variable = (name: string) => environment[name] || undefined;
  return [
    optionLayer(options),
    ...(chosen ? [profileLayer(chosen, environment)] : []),
    environmentLayer(variable),
    ...(otherwise ? [profileLayer(otherwise, environment)] : []),
  ];
}

const settings: readonly SettingName[] = ['url', 'user', 'referer', 'ca', 'cert', 'key', 'proxy'];

function settingsBy(read: (setting: SettingName) => string | undefined): SettingLayer['settings'] {
  const found = settings.map((setting) => [setting, read(setting)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function optionLayer(options: SettingLayersOptions): SettingLayer {
  return {
    name: 'the command line',
    isProfile: false,
    settings: settingsBy((setting) => options[setting]),
    secrets: [
      ...fromFile('token', options.tokenFile, '--token-file'),
      ...fromFile('password', options.passwordFile, '--password-file'),
      ...fromValue('command', options.tokenCommand),
    ],
  };
}

function environmentLayer(variable: (name: string) => string | undefined): SettingLayer {
  return {
    name: 'the environment',
    isProfile: false,
    settings: settingsBy((setting) => variable(`LOGQUARRY_${setting.toUpperCase()}`)),
    secrets: [
      ...fromValue('token', variable('LOGQUARRY_TOKEN')),
      ...fromFile('token', variable('LOGQUARRY_TOKEN_FILE'), 'LOGQUARRY_TOKEN_FILE'),
      ...fromValue('command', variable('LOGQUARRY_TOKEN_COMMAND')),
      ...fromValue('password', variable('LOGQUARRY_PASSWORD')),
      ...fromFile('password', variable('LOGQUARRY_PASSWORD_FILE'), 'LOGQUARRY_PASSWORD_FILE'),
    ],
  };
}

function profileLayer(stored: StoredProfile, environment: Terminal['environment']): SettingLayer {
  const { name, profile } = stored;
  const { token, password, keyRing } = profile;
  const inRing = keyRing === undefined ? [] : [{ kind: keyRing, read: () => readRing(stored, environment) }];
  const secrets: readonly SecretSource[] = [
    ...inRing,
    ...fromValue('token', token),
    ...fromValue('password', password),
  ];
  return {
    name: `the profile "${name}"`,
    isProfile: true,
    settings: settingsBy((setting) => profile[setting]),
    secrets: secrets.map((secret) => ({ ...secret, ...(secret.kind === 'token' && expiryOf(profile)) })),
  };
}

function expiryOf({ expires }: ConnectionProfile): Pick<SecretSource, 'expires'> {
  return expires === undefined ? {} : { expires: Date.parse(expires) };
}

function readRing(stored: StoredProfile, environment: Terminal['environment']): Promise<string> {
  return readKeyRingSecret(stored, rootAddressOf(stored.profile.url) ?? '', environment);
}

function fromValue(kind: SecretSource['kind'], value: string | undefined): readonly SecretSource[] {
  return value === undefined ? [] : [{ kind, read: async () => value }];
}

function fromFile(
  kind: SecretSource['kind'],
  path: string | undefined,
  name: string,
): readonly SecretSource[] {
  return path === undefined ? [] : [{ kind, read: () => readSecret(path, name) }];
}

/** True if the settings of a layer may be sent to a deployment. A layer without an address belongs to any. */
function isLayerOf({ settings: { url } }: SettingLayer, root: string): boolean {
  return url === undefined || rootAddressOf(url) === root;
}

/** Search for a secret. */
interface SecretWanted {
  /** User to sign in, if known: a password belongs to its own user only. */
  readonly user: string | undefined;
  /** True ignores the tokens of profiles, for a sign-in that gets a new one. */
  readonly isNew?: boolean;
}

/**
 * Returns the first matching secret of the layers. An expired token is used only if there is no other
 * secret.
 */
function chooseSecret(
  layers: readonly SettingLayer[],
  { user, isNew = false }: SecretWanted,
): (SecretSource & { readonly of: SettingLayer }) | undefined {
  const fitting = layers.flatMap((layer) =>
    user === undefined || (layer.settings.user ?? user) === user
      ? layer.secrets
          .filter(({ kind }) => !(isNew && layer.isProfile && kind === 'token'))
          .map((secret) => ({ ...secret, of: layer }))
      : [],
  );
  return fitting.find(({ expires }) => expires === undefined || Date.now() < expires) ?? fitting[0];
}

/** Time before the expiry at which a warning is due. Milliseconds. */
const soon = 15 * 60_000;

/**
 * Warns of a token that is expired or expires soon. It is still used, because the clock here may be
 * wrong.
 */
function reportTokenExpiry(
  { expires, of }: SecretSource & { readonly of: SettingLayer },
  { message }: Terminal,
): void {
  if (expires === undefined || Date.now() + soon < expires) return;
  const at = new Date(expires).toISOString();
  if (expires <= Date.now())
    message(`The token of ${of.name} expired at ${at}: sign in again with "logquarry sign-in".`);
  else
    message(
      `The token of ${of.name} expires in ${Math.max(1, Math.round((expires - Date.now()) / 60_000))} min, at ${at}.`,
    );
}

const run = promisify(exec);

/** Timeout of the command in milliseconds: a password manager may ask a person. */
const timeout = 120_000;

/** Runs a shell command that prints a token. Its error output is not shown, because it may hold the token. */
async function runTokenCommand(command: string): Promise<string> {
  const { stdout } = await run(command, { timeout, maxBuffer: 100_000 }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? ` (exit code ${String(error.code)})` : '';
    throw new UsageError(`The command of --token-command failed${code}: run it separately`);
  });
  const token = stdout.trim();
  if (/^\S+$/.test(token)) return token;
  throw new UsageError('The command of --token-command must print one token and nothing else');
}

/** True if a host is this machine, so that nobody can listen on the way. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}

/** Hosts of this machine, never reached through a proxy of the environment, whatever NO_PROXY says. */
const loopback = 'localhost,127.0.0.0/8,::1';

/**
 * The proxies to use: the chosen one, none for "none", else those of the environment. Throws a
 * `UsageError` for a malformed address.
 */
export function readProxyRules(
  chosen: string | undefined,
  variable: (name: string) => string | undefined,
): ProxyRules | undefined {
  if (chosen === 'none') return undefined;
  if (chosen !== undefined) {
    const proxy = checkedProxy(chosen, '--proxy');
    return { http: proxy, https: proxy };
  }
  const either = (name: string) => variable(name.toLowerCase()) ?? variable(name);
  const [http, https] = [either('HTTP_PROXY'), either('HTTPS_PROXY')];
  if (http === undefined && https === undefined) return undefined;
  return {
    ...(http !== undefined && { http: checkedProxy(http, 'HTTP_PROXY') }),
    ...(https !== undefined && { https: checkedProxy(https, 'HTTPS_PROXY') }),
    except: `${either('NO_PROXY') ?? ''},${loopback}`,
  };
}

/** The message does not quote the address: it may hold a password. */
function checkedProxy(text: string, name: string): string {
  const address = toProxyAddress(text);
  if (address !== undefined) return address;
  throw new UsageError(
    `${name} must be the address of a proxy such as http://HOST:PORT; percent-encode a user and a password in front of the host`,
  );
}
