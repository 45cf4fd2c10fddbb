import type { OptionValues } from '../command-line/option.ts';
import { readKeyRingSecret } from '../profiles/key-ring-secret.ts';
import {
  type ConnectionProfile,
  readChosenProfile,
  readDefaultProfile,
  type StoredProfile,
} from '../profiles/profile.ts';
import { readSecret } from '../profiles/read-secret.ts';
import { rootAddressOf } from '../profiles/root-address.ts';
import type { connectionOptions } from '../specs/connection.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The text settings of options, environment and profiles. */
export type SettingName = 'url' | 'user' | 'referer' | 'ca' | 'cert' | 'key' | 'proxy';

/** A secret and how to read it. */
export interface SecretSource {
  /** A command is not a secret, but prints one. */
  readonly kind: 'token' | 'password' | 'command';
  /** Expiry of a token, milliseconds since the epoch; absent if unknown. */
  readonly expires?: number;
  readonly read: () => Promise<string>;
}

/** One source of settings, with its values. */
export interface SettingLayer {
  /** Name in a sentence: `the profile "gis"`. */
  readonly name: string;
  readonly isProfile: boolean;
  readonly settings: Readonly<Partial<Record<SettingName, string>>>;
  /** Secrets by descending priority. */
  readonly secrets: readonly SecretSource[];
}

type Options = OptionValues<typeof connectionOptions>;

/**
 * Reads the sources of settings by descending priority: the command line, its profile, the
 * environment, the default profile.
 */
export async function readSettingLayers(
  options: Options,
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

function optionLayer(options: Options): SettingLayer {
  return {
    name: 'the command line',
    isProfile: false,
    settings: settingsBy((setting) => options[setting]),
    secrets: [
      ...fromFile('token', options.tokenFile, '--token-file'),
      ...fromFile('password', options.passwordFile, '--password-file'),
      ...given('command', options.tokenCommand),
    ],
  };
}

function environmentLayer(variable: (name: string) => string | undefined): SettingLayer {
  return {
    name: 'the environment',
    isProfile: false,
    settings: settingsBy((setting) => variable(`LOGQUARRY_${setting.toUpperCase()}`)),
    secrets: [
      ...given('token', variable('LOGQUARRY_TOKEN')),
      ...fromFile('token', variable('LOGQUARRY_TOKEN_FILE'), 'LOGQUARRY_TOKEN_FILE'),
      ...given('command', variable('LOGQUARRY_TOKEN_COMMAND')),
      ...given('password', variable('LOGQUARRY_PASSWORD')),
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
    ...given('token', token),
    ...given('password', password),
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

function given(kind: SecretSource['kind'], value: string | undefined): readonly SecretSource[] {
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
export function isLayerOf({ settings: { url } }: SettingLayer, root: string): boolean {
  return url === undefined || rootAddressOf(url) === root;
}
