import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isClusterAddress, parseClusterAddress } from '../../cluster/index.ts';
import { addressesOf } from '../../protocol/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { writeOutput } from '../command-line/write-output.ts';
import {
  type ConnectionProfile,
  readNamedProfile,
  readSecret,
  removeProfile,
  type StoredProfile,
  saveProfile,
} from '../deployment/profile.ts';
import {
  checkProfileName,
  defaultNamePath,
  listProfileNames,
  readDefaultProfileName,
} from '../deployment/profile-folder.ts';
import { formatTable } from '../output/table.ts';
import type {
  profileAddSpec,
  profileListSpec,
  profileRemoveSpec,
  profileUseSpec,
} from '../specs/deployment-specs.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toJson } from '../terminal/text.ts';

/** Lists the named profiles without their secrets. An unreadable one is named, and the exit code is 1. */
export const profileListCommand: RunCommand<typeof profileListSpec> = async ({ options, terminal }) => {
  const { environment } = terminal;
  const chosen = await readDefaultProfileName(environment);
  const names = await listProfileNames(environment);
  const problems: string[] = [];
  const read = names.map((name) =>
    readNamedProfile(name, environment).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      problems.push(error.message);
      return undefined;
    }),
  );
  const stored = (await Promise.all(read)).filter((profile) => profile !== undefined);
  const rows = stored.map((profile) => toRow(profile, profile.name === chosen));
  await terminal.print(options.json ? `${toJson(rows, 2)}\n` : listText(rows, terminal));
  for (const problem of problems) terminal.message(problem);
  return problems.length === 0 ? exitCodes.done : exitCodes.no;
};

interface Row {
  readonly name: string;
  readonly default: boolean;
  readonly url?: string | undefined;
  readonly user?: string | undefined;
  readonly secret?: 'token' | 'password' | undefined;
  readonly in?: 'key ring' | 'file' | undefined;
  /** Expiry of the token in ISO 8601. */
  readonly expires?: string | undefined;
}

function toRow({ name, profile }: StoredProfile, isDefault: boolean): Row {
  const { url, user, token, password, keyRing, expires } = profile;
  const inFile = token !== undefined ? 'token' : password !== undefined ? 'password' : undefined;
  const secret = keyRing ?? inFile;
  return {
    name,
    default: isDefault,
    url,
    user,
    secret,
    ...(secret && { in: keyRing ? ('key ring' as const) : ('file' as const) }),
    ...(secret === 'token' && { expires }),
  };
}

function listText(rows: readonly Row[], { stdout }: Terminal): string {
  const columns = ['', 'name', 'url', 'user', 'secret', 'expires'].map((name) => ({ name }));
  const cells = rows.map(({ name, url = '', user = '', secret, in: where, expires, ...row }) => {
    const stored = secret === undefined ? '' : `${secret} in the ${where}`;
    const isOver = expires !== undefined && Date.parse(expires) <= Date.now();
    return [row.default ? '*' : '', name, url, user, stored, `${expires ?? ''}${isOver ? ' (expired)' : ''}`];
  });
  return `${formatTable(columns, cells, stdout).join('\n')}\n`;
}

/** Saves a new profile. */
export const profileAddCommand: RunCommand<typeof profileAddSpec> = async ({
  arguments: { name },
  options,
  terminal,
}) => {
  checkProfileName(name);
  if (await readNamedProfile(name, terminal.environment)) {
    throw new UsageError(
      `The profile "${name}" already exists: "logquarry profile remove ${name}" removes it`,
    );
  }
  if (options.url === undefined)
    throw new UsageError('--url URL is required: the address of the deployment or the cluster');
  const { root, url, user = options.user } = addressOf(options.url, options);
  const secret = await secretOf(options, terminal);
  const { referer, proxy } = options;
  const profile = { url, ...definedMembers({ user, referer, proxy }), ...absolutePaths(options) };
  await saveProfile({ name, profile, secret, root, noKeyRing: options.noKeyRing }, terminal);
  return exitCodes.done;
};

/** The address that a secret is for, and the address to save; the user of a cluster may be in it. */
function addressOf(
  url: string,
  { user, tokenFile }: CommandCall<typeof profileAddSpec>['options'],
): { readonly root: string; readonly url: string; readonly user?: string | undefined } {
  if (isClusterAddress(url)) {
    const address = parseClusterAddress(url);
    if (tokenFile !== undefined)
      throw new UsageError('--token-file requires a deployment: a cluster has no tokens');
    if (address.profile !== undefined) throw new UsageError('--url must not name a profile');
    if (address.user !== undefined && user !== undefined && address.user !== user)
      throw new UsageError(`--user must be that of the address, "${address.user}", got "${user}"`);
    return { root: address.origin, url: address.text, user: address.user ?? user };
  }
  const addresses = addressesOf(url);
  if ('problem' in addresses) throw new UsageError(addresses.problem);
  return { root: addresses.root, url: addresses.root };
}

async function secretOf(
  { user, passwordFile, tokenFile, askPassword }: CommandCall<typeof profileAddSpec>['options'],
  { askSecret }: Terminal,
) {
  if (tokenFile !== undefined)
    return { kind: 'token', value: await readSecret(tokenFile, '--token-file') } as const;
  if (passwordFile !== undefined)
    return { kind: 'password', value: await readSecret(passwordFile, '--password-file') } as const;
  if (!askPassword) return undefined;
  if (!askSecret)
    throw new UsageError('There is no terminal to ask for the password: use --password-file FILE');
  return { kind: 'password', value: await askSecret(`Password of "${user}": `) } as const;
}

/** Absolute paths of the files of a profile, which is used from any folder. */
export function absolutePaths(
  files: Pick<ConnectionProfile, 'ca' | 'cert' | 'key'>,
): Pick<ConnectionProfile, 'ca' | 'cert' | 'key'> {
  const whole = (path: string | undefined) => (path === undefined ? undefined : resolve(path));
  return definedMembers({ ca: whole(files.ca), cert: whole(files.cert), key: whole(files.key) });
}

function definedMembers<T extends object>(members: T): T {
  const found = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.assign({}, ...found.map(([key, value]) => ({ [key]: value })));
}

/** Makes a profile the default. */
export const profileUseCommand: RunCommand<typeof profileUseSpec> = async ({
  arguments: { name },
  terminal,
}) => {
  await existing(name, terminal);
  const path = defaultNamePath(terminal.environment);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeOutput(`${name}\n`, { path, terminal });
  return exitCodes.done;
};

/** Removes a profile and its secret. */
export const profileRemoveCommand: RunCommand<typeof profileRemoveSpec> = async ({
  arguments: { name },
  terminal,
}) => {
  await removeProfile(await existing(name, terminal), terminal);
  terminal.message(`The profile "${name}" was removed.`);
  return exitCodes.done;
};

async function existing(name: string, { environment }: Terminal): Promise<StoredProfile> {
  const found = await readNamedProfile(checkProfileName(name), environment);
  if (found) return found;
  throw new UsageError(`The profile "${name}" does not exist; "logquarry profile list" shows all profiles`);
}
