import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { ReadStream, WriteStream } from 'node:tty';
import { hasAsciiOnly, type Style, shortenToWidth, toAscii, toStyle } from './text.ts';

/** Input and output of a command: its only connection to the calling person or program. */
export interface Terminal {
  /** Writes data. Resolves when it was accepted, to bound memory; rejects with `ClosedPipe`. */
  readonly print: (text: string) => Promise<void>;
  /** Writes a message with a line break to the standard error. */
  readonly message: (line: string) => void;
  /** Shows a status line until the next status or message; nothing if the standard error is no terminal. */
  readonly show: (state: string) => void;
  readonly input: () => AsyncIterable<string>;
  /** The standard input as bytes, instead of `input`. */
  readonly inputBytes: () => AsyncIterable<Uint8Array>;
  readonly stdout: OutputStyle;
  readonly stderr: OutputStyle;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Pagers for more data than one screen; absent without a terminal. */
  readonly pager?: {
    /** Rows of the terminal. */
    readonly rows: () => number;
    /** Starts a pager; undefined if it is not installed. */
    readonly start: (command: string) => Pager | undefined;
  };
  /** Asks a person for a secret without echo; absent if nobody can be asked. */
  readonly askSecret?: (question: string) => Promise<string>;
  /** Asks a person for confirmation; absent if nobody can be asked. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /**
   * Returns a signal that the first Ctrl-C aborts, to stop the work in order; the second ends the
   * process. Without this call the first one does. SIGTERM counts as Ctrl-C, and SIGHUP does unless `onHangUp` is
   * given: that is called instead.
   */
  readonly interruption: (options?: { readonly onHangUp?: () => void }) => AbortSignal;
  /** Makes the exit code of the command that of an incomplete answer. */
  readonly noteIncomplete?: () => void;
}

/** Properties of one of the two outputs. */
export interface OutputStyle {
  /** Columns of a terminal; undefined for a file or a pipe. */
  readonly width: number | undefined;
  readonly style: Style;
}

/** The terminal, files or pipes of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  // A failed write rejects at its caller; lost messages cannot be reported.
  stdout.on('error', () => {});
  stderr.on('error', () => {});
  const messages = faceOf(stderr);
  const drawn = hasAsciiOnly(env) ? toAscii : (text: string) => text;
  const drawnOn = (stream: NodeJS.WriteStream, text: string) => (stream.isTTY ? drawn(text) : text);
  let shown = false;
  let isPaging = false;
  let onHangUp: (() => void) | undefined;
  const listen = onceOnly(() => listenForSignals({ isPaging: () => isPaging, hangUp: () => onHangUp }));

  const clear = () => {
    if (shown) stderr.write('\r\u001b[K');
    shown = false;
  };
  return {
    print(text) {
      clear();
      return write(stdout, drawnOn(stdout, text));
    },
    message(line) {
      clear();
      stderr.write(drawnOn(stderr, `${line}\n`));
    },
    show(state) {
      if (messages.width === undefined) return;
      clear();
      // A wrapped line could not be cleared.
      stderr.write(drawnOn(stderr, shortenToWidth(state, messages.width - 1)));
      shown = state !== '';
    },
    input: () => stdin.setEncoding('utf8'),
    inputBytes: () => stdin,
    stdout: faceOf(stdout),
    stderr: messages,
    environment: env,
    interruption(options) {
      onHangUp = options?.onHangUp ?? onHangUp;
      return listen();
    },
    ...(stdout.isTTY &&
      env.TERM !== 'dumb' && {
        pager: {
          rows: () => stdout.rows || 24,
          start(command) {
            const pager = startPager(command, env);
            if (!pager) return undefined;
            isPaging = true;
            // Ctrl-C is for the pager; this process ends after it.
            process.on('SIGINT', ignore);
            const end = async () => {
              await pager.end();
              isPaging = false;
              process.off('SIGINT', ignore);
            };
            return { ...pager, write: (text) => pager.write(drawn(text)), end };
          },
        },
      }),
    ...(stdin.isTTY &&
      stderr.isTTY && {
        askSecret: (question) => askSecret(stdin, stderr, question),
        confirm: (question) => askConfirmation(stdin, stderr, question),
      }),
  };
}

function ignore(): void {}

function faceOf(stream: NodeJS.WriteStream): OutputStyle {
  return {
    // The width of a terminal can change at any time.
    get width() {
      return stream.isTTY ? stream.columns || 80 : undefined;
    },
    style: toStyle(hasColours({ choice: 'auto', isTerminal: stream.isTTY, environment: process.env })),
  };
}

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(writeError(error)) : resolve()));
  });
}

const closedCodes: readonly unknown[] = ['EPIPE', 'ERR_STREAM_DESTROYED'];

function writeError(cause: Error): Error {
  if (!('code' in cause)) return cause;
  if (closedCodes.includes(cause.code)) return new ClosedPipe('', { cause });
  const message = `The standard output cannot be written: ${cause.message}`;
  return Object.assign(new Error(message, { cause }), { code: cause.code });
}

function onceOnly<T>(make: () => T): () => T {
  let cache: { readonly value: T } | undefined;
  return () => {
    cache ??= { value: make() };
    return cache.value;
  };
}

/** Time in which repeated signals count as one Ctrl-C, in milliseconds: npm passes it on once more. */
const sameKeystroke = 500;

/** What the signals of this process depend on at the time. */
interface SignalState {
  readonly isPaging: () => boolean;
  /** Function that SIGHUP calls instead of stopping the work, if any. */
  readonly hangUp: () => (() => void) | undefined;
}

function listenForSignals({ isPaging, hangUp }: SignalState): AbortSignal {
  const controller = new AbortController();
  let first: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (signal === 'SIGINT' && isPaging()) return;
    const onHangUp = signal === 'SIGHUP' ? hangUp() : undefined;
    if (onHangUp) return onHangUp();
    first ??= performance.now();
    if (sameKeystroke < performance.now() - first) process.exit(130);
    controller.abort(new Interrupted('Interrupted'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return controller.signal;
}

const keys = { enter: /[\r\n]/, interrupt: /[\u0003\u0004]/, erase: /[\u007f\b]/ };

/** Asks a person for a secret. Shows nothing of it, not even its length. */
export function askSecret(input: ReadStream, output: WriteStream, question: string): Promise<string> {
  output.write(question);
  input.setRawMode(true);
  input.setEncoding('utf8');
  input.resume();
  return new Promise<string>((resolve, reject) => {
    let secret = '';
    const end = (finish: () => void) => {
      input.off('data', onData);
      input.setRawMode(false);
      input.pause();
      output.write('\n');
      finish();
    };
    const onData = (data: string | Buffer) => {
      for (const character of String(data)) {
        if (keys.enter.test(character)) return end(() => resolve(secret));
        if (keys.interrupt.test(character)) return end(() => reject(new Interrupted('Interrupted')));
        if (keys.erase.test(character)) secret = [...secret].slice(0, -1).join('');
        else secret += character;
      }
    };
    input.on('data', onData);
  });
}

/** Asks a person for confirmation. Anything but yes is no; Ctrl-C throws `Interrupted`. */
async function askConfirmation(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
): Promise<boolean> {
  // Loaded on demand: few commands ask anything.
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input, output });
  const answered = new Promise<boolean>((resolve, reject) => {
    lines.once('SIGINT', () => reject(new Interrupted('Interrupted')));
    lines.once('close', () => resolve(false));
    lines.question(`${question} [y/N] `, (answer) => resolve(/^y(es)?$/i.test(answer.trim())));
  });
  return answered.finally(() => lines.close());
}

/** A running pager. */
export interface Pager {
  /** Resolves when the pager accepts more; rejects with `ClosedPipe` once it has ended. */
  readonly write: (text: string) => Promise<void>;
  /** Resolves when its reader has left it. */
  readonly end: () => Promise<void>;
}

type Environment = { readonly [name: string]: string | undefined };

/** The command of the pager; undefined if none is wanted. */
export function pagerCommand({ LOGQUARRY_PAGER, PAGER }: Environment): string | undefined {
  const command = (LOGQUARRY_PAGER ?? PAGER ?? 'less').trim();
  return command === '' || command === 'cat' ? undefined : command;
}

/** Defaults of pagers: colours as they are, no cut lines, no pager for one screen. */
const pagerDefaults = { LESS: 'FRX', LV: '-c' } as const;

/** Starts a pager on the terminal of this process; undefined if it is not installed. */
export function startPager(command: string, environment: Environment): Pager | undefined {
  if (!isInstalled(command)) return undefined;
  const child = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...pagerDefaults, ...environment },
  });
  let isOpen = true;
  const ended = new Promise<void>((resolve) => {
    const close = () => {
      isOpen = false;
      resolve();
    };
    child.on('close', close).on('error', close);
  });
  // A reader who leaves early is no failure.
  child.stdin.on('error', () => {});
  return {
    async write(text) {
      if (!isOpen || child.stdin.destroyed) throw new ClosedPipe('');
      if (child.stdin.write(text)) return;
      const drained = once(child.stdin, 'drain').catch(() => {});
      await Promise.race([drained, ended]);
    },
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}

/** True unless the shell does not know the program; commands of other forms are left to the shell. */
function isInstalled(command: string): boolean {
  const [, program] = /^([\w./-]+)(?:\s|$)/.exec(command) ?? [];
  if (program === undefined) return true;
  const search = process.platform === 'win32' ? `where ${program}` : `command -v ${program}`;
  return spawnSync(search, { shell: true, stdio: 'ignore' }).status === 0;
}

/** The reader of the output has closed it, as `head` does. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

/** The process was asked to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The outcome of a change is unknown: the deployment may have made it, or may still be working on it. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.cause = cause;
  }
}

/** When colours are used: `auto` depends on the environment and the output. */
export const colourChoices = ['auto', 'always', 'never'] as const;

/** One of the choices of `--color`. */
export type ColourChoice = (typeof colourChoices)[number];

/** Facts by which colours are chosen. */
interface ColourFacts {
  readonly choice: ColourChoice;
  readonly isTerminal: boolean;
  readonly environment: { readonly [name: string]: string | undefined };
}

/**
 * Reports if an output is coloured. `--color` comes first, then FORCE_COLOR (`0` and `false` turn
 * colours off), then NO_COLOR, as Node reads them; an empty variable counts as absent.
 */
export function hasColours({ choice, isTerminal, environment }: ColourFacts): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = environment;
  if (choice !== 'auto') return choice === 'always';
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && !NO_COLOR && TERM !== 'dumb';
}

/**
 * Settles like a promise, or rejects with the reason of the signal if that is aborted first. The work
 * itself continues.
 */
export function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    // Also after an abort, so that a late failure does not end the process.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Interval of checking the parent process, in milliseconds. */
const pause = 200;

/**
 * Returns a signal that aborts when the parent process has ended. This is for npm: it passes a signal
 * to the shell of a script, and the shell ends without passing it on.
 */
export function parentExitSignal(): AbortSignal {
  const controller = new AbortController();
  const parent = process.ppid;
  const look = () => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    controller.abort(new Interrupted('Interrupted'));
  };
  const timer = setInterval(look, pause).unref();
  return controller.signal;
}
