import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** A key ring entry: the secret of one profile for one deployment. */
export interface KeyRingEntry {
  readonly profile: string;
  /** The administrative base address of the deployment. */
  readonly root: string;
}

/** A secret, or the problem of reading it as part of a sentence; the problem holds no secret. */
export type KeyRingReply = { readonly secret: string } | { readonly problem: string };

/** The key ring of the system. */
export interface KeyRing {
  /** The program behind it. */
  readonly program: string;
  readonly find: (entry: KeyRingEntry) => Promise<KeyRingReply>;
  /** Stores a secret, replacing an earlier one. Returns undefined on success, else the problem. */
  readonly store: (entry: KeyRingEntry, secret: string) => Promise<string | undefined>;
  readonly remove: (entry: KeyRingEntry) => Promise<void>;
}

/** Options of finding a key ring. */
export interface KeyRingOptions {
  readonly environment: { readonly [name: string]: string | undefined };
  readonly platform?: string;
  /** Timeout of one request in milliseconds: a locked key ring asks a person. */
  readonly patience?: number;
}

/**
 * Opens the key ring of the system through its own program: `secret-tool` of libsecret, or `security`
 * of macOS. Undefined if there is none.
 */
export async function openKeyRing({
  environment,
  platform = process.platform,
  patience = 60_000,
}: KeyRingOptions): Promise<KeyRing | undefined> {
  const kind = platform === 'darwin' ? security : platform === 'win32' ? undefined : secretTool;
  const program = kind && (await findProgram(kind.name, environment.PATH ?? ''));
  if (!kind || program === undefined) return undefined;
  const run = (words: readonly string[], input?: string) =>
    runProgram(program, { words, environment, patience, ...(input !== undefined && { input }) });
  const find = async (entry: KeyRingEntry) => toFound(await run(kind.find(entry)), kind.read);
  return {
    program: kind.name,
    find,
    async store(entry, secret) {
      const { words, input } = kind.store(entry, secret);
      const ran = await run(words, input);
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
  readonly store: (entry: KeyRingEntry, secret: string) => Required<Pick<ProgramOptions, 'words' | 'input'>>;
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
    words: ['store', `--label=Logquarry profile ${entry.profile}`, ...attributes(entry)],
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
    const written = output.replace(/\r?\n$/, '');
    return written.startsWith(encoded)
      ? Buffer.from(written.slice(encoded.length), 'base64').toString('utf8')
      : undefined;
  },
  store: (entry, secret) => {
    const quoted = account(entry).map((word) => (word.startsWith('-') ? word : `"${word}"`));
    const value = encoded + Buffer.from(secret, 'utf8').toString('base64');
    return { words: ['-i'], input: `add-generic-password -U ${quoted.join(' ')} -w "${value}"\n` };
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
  readonly words: readonly string[];
  readonly environment: { readonly [name: string]: string | undefined };
  /** Standard input. Secrets go here and never into arguments, which other users of the machine can see. */
  readonly input?: string;
  /** Timeout in milliseconds. */
  readonly patience: number;
}

/** Result of a program. */
type ProgramResult =
  | { readonly code: number | null; readonly output: string }
  /** The program did not start, or did not end in time. */
  | { readonly problem: string };

/** Runs a program to its end; kills it after the timeout. */
function runProgram(program: string, options: ProgramOptions): Promise<ProgramResult> {
  const { words, environment, input = '', patience } = options;
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
