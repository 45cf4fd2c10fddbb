import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { type ProgramOptions, type Ran, runProgram } from './run-program.ts';

/** A secret in a key ring: that of one profile, for one deployment alone. */
export interface KeyRingEntry {
  readonly profile: string;
  /** The administrative base address of the deployment. */
  readonly root: string;
}

/** A secret, or why there is none; the problem is a part of a sentence and holds no secret. */
export type Found = { readonly secret: string } | { readonly problem: string };

/** The key ring of the system. */
export interface KeyRing {
  /** The program that is asked. */
  readonly program: string;
  readonly find: (entry: KeyRingEntry) => Promise<Found>;
  /** Stores a secret in the place of an earlier one. Undefined when it is there; else why it is not. */
  readonly store: (entry: KeyRingEntry, secret: string) => Promise<string | undefined>;
  readonly remove: (entry: KeyRingEntry) => Promise<void>;
}

/** Where a key ring is looked for. */
export interface KeyRingOptions {
  readonly environment: { readonly [name: string]: string | undefined };
  readonly platform?: string;
  /** The longest time that one question may take, in milliseconds: a locked key ring asks a person. */
  readonly patience?: number;
}

/**
 * The key ring of the system, through the program that comes with it: `secret-tool`
 * of libsecret, or `security` of macOS. Undefined where there is none.
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
      // The program may end well without having stored anything.
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
  /** The secret in what it prints; undefined where that is none. */
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

/** It reads a secret to its end, and prints one as it is, without a line break. */
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

/** Begins what is stored, which is in Base64: `security` prints a secret that is not plain text in hexadecimal. */
const encoded = 'base64:';

/** Only its interactive form reads a secret from the standard input, in quotes: there is none in a name, an address or Base64. */
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

function toFound(ran: Ran, read: KeyRingProgram['read']): Found {
  if ('problem' in ran) return ran;
  const secret = ran.code === 0 ? read(ran.output) : undefined;
  return secret === undefined ? { problem: 'it has no such secret, or is locked' } : { secret };
}

/** The path of a program in the folders of PATH; undefined where it is in none. */
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
