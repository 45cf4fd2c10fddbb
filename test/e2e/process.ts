import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const bin = resolve('dist/bin/logquarry.js');
if (!existsSync(bin))
  throw new Error('These tests run the bundled command line: "npm run build:bin" makes it');

/** Settings of a process. */
export interface StartOptions {
  readonly cwd?: string;
  /** Added to an environment that holds nothing of who runs the tests but the path. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** True if it leads a process group of its own. */
  readonly detached?: boolean;
}

/** Output of a process, and its end. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A process that runs. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when this text was printed on either output; rejects when the process ends without. */
  readonly printed: (text: string | RegExp) => Promise<void>;
  /** Output so far. */
  readonly output: () => string;
}

/** Starts the bundled command line as a process of its own. */
export function start(words: readonly string[], options: StartOptions = {}): Started {
  return startProgram(process.execPath, [bin, ...words], options);
}

/** Runs the bundled command line to its end. */
export function run(words: readonly string[], options: StartOptions = {}): Promise<Ended> {
  return start(words, options).ended;
}

/** Starts any program; it gets no input but what is given. */
export function startProgram(program: string, words: readonly string[], options: StartOptions = {}): Started {
  const { cwd, environment, input = '', detached = false } = options;
  const child = spawn(program, words, {
    cwd,
    detached,
    env: {
      PATH: process.env.PATH,
      HOME: tmpdir(),
      XDG_CONFIG_HOME: join(tmpdir(), 'no-such-folder'),
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin?.on('error', () => {}).end(input);
  const written = { out: '', err: '' };
  const listeners = new Set<() => void>();
  const collect = (name: 'out' | 'err') => (chunk: string) => {
    written[name] += chunk;
    for (const listener of listeners) listener();
  };
  child.stdout?.setEncoding('utf8').on('data', collect('out'));
  child.stderr?.setEncoding('utf8').on('data', collect('err'));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...written }));
  });
  const printed = (text: string | RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!(written.out + written.err).match(text)) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
      void ended.then(({ out, err }) => reject(new Error(`Ended without "${text}": ${out}${err}`)));
    });
  return { child, ended, printed, output: () => written.out + written.err };
}

/** A folder that is gone after the test. */
export async function folder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'logquarry-e2e-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
