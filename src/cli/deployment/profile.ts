import { spawn } from 'node:child_process';
import { access, constants, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import * as v from 'valibot';
import { isClusterAddress, parseClusterAddress } from '../../cluster/index.ts';
import { addressesOf } from '../../protocol/index.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { readTextFile } from '../command-line/files.ts';
import { writeOutput } from '../command-line/write-output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  defaultNamePath,
  isProfileName,
  profilePath,
  readDefaultProfileName,
  unnamedProfilePath,
} from './profile-folder.ts';

const text = v.optional(v.string());
const schema = v.strictObject({
  url: text,
  user: text,
  password: text,
  token: text,
  /** Expiry of the token in ISO 8601. */
  expires: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  /** The kind of secret stored in the key ring of the system. */
  keyRing: v.optional(v.picklist(['token', 'password'])),
  referer: text,
  ca: text,
  cert: text,
  key: text,
  proxy: text,
});

/** Connection settings of a deployment in a file. May hold secrets. */
export type ConnectionProfile = v.InferOutput<typeof schema>;

/** A profile with its name and path. */
export interface StoredProfile {
  readonly name: string;
  readonly path: string;
  readonly profile: ConnectionProfile;
}

/** Reads a profile by name or path. Throws a `UsageError` if there is none. */
export async function readChosenProfile(
  nameOrPath: string,
  environment: Terminal['environment'],
): Promise<StoredProfile> {
  const named = isProfileName(nameOrPath) ? await readNamedProfile(nameOrPath, environment) : undefined;
  const found = named ?? (await readProfile(nameOrPath));
  if (found) return found;
  const advice = isProfileName(nameOrPath) ? '; "logquarry profile list" shows the named ones' : '';
  throw new UsageError(`The profile "${nameOrPath}" does not exist${advice}`);
}

/** Reads a named profile; undefined if there is none. */
export async function readNamedProfile(
  name: string,
  environment: Terminal['environment'],
): Promise<StoredProfile | undefined> {
  return readProfile(profilePath(name, environment));
}

/**
 * Reads the default profile: the one named by LOGQUARRY_PROFILE, the chosen one, or the unnamed one;
 * undefined if there is none.
 */
export async function readDefaultProfile(
  environment: Terminal['environment'],
): Promise<StoredProfile | undefined> {
  if (environment.LOGQUARRY_PROFILE) return readChosenProfile(environment.LOGQUARRY_PROFILE, environment);
  const name = await readDefaultProfileName(environment);
  if (name === undefined) return readProfile(unnamedProfilePath(environment));
  const found = await readNamedProfile(name, environment);
  if (found) return found;
  throw new UsageError(
    `The default profile "${name}" does not exist: choose another with "logquarry profile use"`,
  );
}

/** Reads the profile of a file; undefined if the file does not exist. */
async function readProfile(path: string): Promise<StoredProfile | undefined> {
  try {
    const { mode } = await stat(path);
    checkFileMode('The profile', path, mode);
    const profile = toProfile(await readFile(path, 'utf8'), path);
    return { name: basename(path, '.json'), path, profile };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    if ('code' in error && error.code === 'ENOENT') return undefined;
    throw new UsageError(`The profile "${path}" cannot be read: ${error.message}`, { cause: error });
  }
}

/** Throws a `UsageError` if others than its owner can read a file. */
export function checkFileMode(what: string, path: string, mode: number): void {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  throw new UsageError(
    `${what} "${path}" must have mode 0600, so that only its owner can read it, and has ${shown}: chmod 600 "${path}"`,
  );
}

function toProfile(text: string, path: string): ConnectionProfile {
  const read = v.safeParse(schema, fromJson(text));
  if (read.success) return read.output;
  // Problems are named by position only, because the values may be secrets.
  const positions = read.issues.map((issue) => `"${v.getDotPath(issue) ?? 'the whole'}"`).join(', ');
  throw new UsageError(
    `The profile "${path}" must be a JSON object with the texts ${Object.keys(schema.entries).join(', ')}; problems at: ${positions}`,
  );
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A named profile to save. Holds a secret. */
interface ProfileToSave {
  readonly name: string;
  /** Without secrets. */
  readonly profile: Omit<ConnectionProfile, 'token' | 'password' | 'keyRing'>;
  readonly secret?: { readonly kind: 'token' | 'password'; readonly value: string } | undefined;
  /** Administrative base address of the secret. */
  readonly root: string;
  /** True stores the secret in the file even if there is a key ring. */
  readonly noKeyRing: boolean;
}

/**
 * Saves a named profile, replacing an earlier one. The secret goes to the key ring of the system, or
 * else to the file, which only its owner can read. Reports a key ring that refuses it.
 */
export async function saveProfile(request: ProfileToSave, terminal: Terminal): Promise<void> {
  const { name, profile, secret } = request;
  const path = profilePath(name, terminal.environment);
  const earlier = await readNamedProfile(name, terminal.environment).catch(() => undefined);
  if (earlier) await forgetSecret(earlier, terminal);
  const isInRing = secret !== undefined && (await storeInRing(request, secret.value, terminal));
  const inFile = secret && (isInRing ? { keyRing: secret.kind } : { [secret.kind]: secret.value });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const text = `${JSON.stringify({ ...profile, ...inFile }, null, 2)}\n`;
  await writeOutput(text, { path, terminal, secret: true });
}

async function storeInRing(
  { name, root, noKeyRing }: ProfileToSave,
  secret: string,
  terminal: Terminal,
): Promise<boolean> {
  const ring = noKeyRing ? undefined : await openKeyRing({ environment: terminal.environment });
  if (!ring) return false;
  const problem = await ring.store({ profile: name, root }, secret);
  if (problem === undefined) return true;
  terminal.message(
    `The key ring of the system refused the secret ("${ring.program}": ${problem}): it is in the file of the profile, which only its owner can read.`,
  );
  return false;
}

/** Removes a named profile and its secret. */
export async function removeProfile(stored: StoredProfile, terminal: Terminal): Promise<void> {
  await forgetSecret(stored, terminal);
  await rm(stored.path);
  const { environment } = terminal;
  if ((await readDefaultProfileName(environment)) === stored.name) await rm(defaultNamePath(environment));
}

/** Removes the secret of a profile from the key ring. */
async function forgetSecret({ name, profile }: StoredProfile, { environment }: Terminal): Promise<void> {
  if (profile.keyRing === undefined || profile.url === undefined) return;
  const ring = await openKeyRing({ environment });
  await ring?.remove({ profile: name, root: rootAddressOf(profile.url) ?? '' });
}

/** A key ring entry: the secret of one profile for one deployment. */
interface KeyRingEntry {
  readonly profile: string;
  /** The administrative base address of the deployment. */
  readonly root: string;
}

/** A secret, or the problem of reading it as part of a sentence; the problem holds no secret. */
type KeyRingReply = { readonly secret: string } | { readonly problem: string };

/** The key ring of the system. */
interface KeyRing {
  /** The program behind it. */
  readonly program: string;
  readonly find: (entry: KeyRingEntry) => Promise<KeyRingReply>;
  /** Stores a secret, replacing an earlier one. Returns undefined on success, else the problem. */
  readonly store: (entry: KeyRingEntry, secret: string) => Promise<string | undefined>;
  readonly remove: (entry: KeyRingEntry) => Promise<void>;
}

/** Options of finding a key ring. */
interface KeyRingOptions {
  readonly environment: { readonly [name: string]: string | undefined };
  readonly platform?: string;
  /** Timeout of one request in milliseconds: a locked key ring asks a person. */
  readonly timeout?: number;
}

/**
 * Opens the key ring of the system through its own program: `secret-tool` of libsecret, or `security`
 * of macOS. Undefined if there is none.
 */
export async function openKeyRing({
  environment,
  platform = process.platform,
  timeout: patience = 60_000,
}: KeyRingOptions): Promise<KeyRing | undefined> {
  const kind = platform === 'darwin' ? security : platform === 'win32' ? undefined : secretTool;
  const program = kind && (await findProgram(kind.name, environment.PATH ?? ''));
  if (!kind || program === undefined) return undefined;
  const run = (args: readonly string[], input?: string) =>
    runProgram(program, { args, environment, timeout: patience, ...(input !== undefined && { input }) });
  const find = async (entry: KeyRingEntry) => toFound(await run(kind.find(entry)), kind.read);
  return {
    program: kind.name,
    find,
    async store(entry, secret) {
      const { args, input } = kind.store(entry, secret);
      const ran = await run(args, input);
      if ('problem' in ran) return ran.problem;
      // The program may succeed without storing anything.
      const stored = await find(entry);
      if ('problem' in stored)
        return ran.code === 0 ? stored.problem : `it ended with the exit code ${ran.code}`;
      return stored.secret === secret ? undefined : 'it gives back something else';
    },
    remove: async (entry) => void (await run(kind.remove(entry))),
  };
}

/** Call of the program of a key ring. */
interface KeyRingProgram {
  readonly name: string;
  readonly find: (entry: KeyRingEntry) => readonly string[];
  /** Extracts the secret from the output; undefined if there is none. */
  readonly read: (output: string) => string | undefined;
  readonly store: (entry: KeyRingEntry, secret: string) => Required<Pick<ProgramOptions, 'args' | 'input'>>;
  readonly remove: (entry: KeyRingEntry) => readonly string[];
}

const attributes = ({ profile, root }: KeyRingEntry) => [
  'service',
  'logquarry',
  'profile',
  profile,
  'address',
  root,
];

/** Reads and prints secrets verbatim, without a line break. */
const secretTool: KeyRingProgram = {
  name: 'secret-tool',
  find: (entry) => ['lookup', ...attributes(entry)],
  read: (output) => output || undefined,
  store: (entry, secret) => ({
    args: ['store', `--label=Logquarry profile ${entry.profile}`, ...attributes(entry)],
    input: secret,
  }),
  remove: (entry) => ['clear', ...attributes(entry)],
};

const account = ({ profile, root }: KeyRingEntry) => ['-s', 'logquarry', '-a', `${profile} ${root}`];

/**
 * Prefix of stored secrets, which are in Base64: `security` prints secrets that are not plain text in
 * hexadecimal.
 */
const encoded = 'base64:';

/**
 * Only its interactive form reads a secret from the standard input, in quotes. Names, addresses and
 * Base64 contain no quotes.
 */
const security: KeyRingProgram = {
  name: 'security',
  find: (entry) => ['find-generic-password', ...account(entry), '-w'],
  read(output) {
    const line = output.replace(/\r?\n$/, '');
    return line.startsWith(encoded)
      ? Buffer.from(line.slice(encoded.length), 'base64').toString('utf8')
      : undefined;
  },
  store: (entry, secret) => {
    const quoted = account(entry).map((word) => (word.startsWith('-') ? word : `"${word}"`));
    const value = encoded + Buffer.from(secret, 'utf8').toString('base64');
    return { args: ['-i'], input: `add-generic-password -U ${quoted.join(' ')} -w "${value}"\n` };
  },
  remove: (entry) => ['delete-generic-password', ...account(entry)],
};

function toFound(ran: ProgramResult, read: KeyRingProgram['read']): KeyRingReply {
  if ('problem' in ran) return ran;
  const secret = ran.code === 0 ? read(ran.output) : undefined;
  return secret === undefined ? { problem: 'it has no such secret, or is locked' } : { secret };
}

/** Finds a program in the folders of PATH; undefined if there is none. */
async function findProgram(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const program = join(folder, name);
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return undefined;
}

/** Options of a program. */
interface ProgramOptions {
  readonly args: readonly string[];
  readonly environment: { readonly [name: string]: string | undefined };
  /** Standard input. Secrets go here and never into arguments, which other users of the machine can see. */
  readonly input?: string;
  /** Timeout in milliseconds. */
  readonly timeout: number;
}

/** Result of a program. */
type ProgramResult =
  | { readonly code: number | null; readonly output: string }
  /** The program did not start, or did not end in time. */
  | { readonly problem: string };

/** Runs a program to its end; kills it after the timeout. */
function runProgram(program: string, options: ProgramOptions): Promise<ProgramResult> {
  const { args: words, environment, input = '', timeout: patience } = options;
  return new Promise((resolve) => {
    const child = spawn(program, words, { env: { ...environment }, stdio: ['pipe', 'pipe', 'ignore'] });
    let output = '';
    const end = (ran: ProgramResult) => {
      clearTimeout(timer);
      // A remaining child process may hold these open.
      child.stdin.destroy();
      child.stdout.destroy();
      child.unref();
      resolve(ran);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      end({ problem: `no answer in ${patience / 1000} s` });
    }, patience);
    child.on('error', () => end({ problem: 'it cannot be started' }));
    child.on('close', (code) => end({ code, output }));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    // The program may end without reading its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/**
 * The address that the secret of a profile is for: the administrative base address of a deployment, or the origin
 * of a cluster; undefined if the address is malformed. Throws a `ClusterError` for a malformed one of a cluster.
 */
export function rootAddressOf(url: string | undefined): string | undefined {
  if (url !== undefined && isClusterAddress(url)) return parseClusterAddress(url).origin;
  const addresses = url === undefined ? undefined : addressesOf(url);
  return addresses && 'root' in addresses ? addresses.root : undefined;
}

/**
 * Reads a secret from a file, without a final line break. Like ssh, refuses a file of this user that
 * others can read. Files of another user, such as mounted ones in a container, are accepted.
 */
export async function readSecret(path: string, name: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() && found.uid === process.getuid?.())
    checkFileMode(`The file of ${name}`, path, found.mode);
  const secret = (await readTextFile(path, name)).replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(`The file "${path}" of ${name} is empty`);
  return secret;
}

/** Reads the secret of a profile from the key ring of the system. Throws a `UsageError` on failure. */
export async function readKeyRingSecret(
  { name, path }: Pick<StoredProfile, 'name' | 'path'>,
  root: string,
  environment: Terminal['environment'],
): Promise<string> {
  const ring = await openKeyRing({ environment });
  const found = await ring?.find({ profile: name, root });
  if (found && 'secret' in found) return found.secret;
  const reason = ring ? `"${ring.program}" did not return it (${found?.problem})` : 'this machine has none';
  throw new UsageError(
    `The secret of the profile "${path}" is in the key ring of the system, and ${reason}: unlock the key ring, or save the profile again with --no-key-ring`,
  );
}
