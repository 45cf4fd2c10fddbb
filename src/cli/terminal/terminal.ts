import type { ReadStream, WriteStream } from 'node:tty';
import { hasColours } from './colours.ts';
import { ClosedPipe, Interrupted } from './endings.ts';
import { type Pager, startPager } from './pager.ts';
import { type Style, toStyle } from './style.ts';
import { shortenToWidth } from './width.ts';

/** Input and output of a command: its only connection to the calling person or program. */
export interface Terminal {
  /** Writes data. Resolves when it was accepted, to bound memory; rejects with `ClosedPipe`. */
  readonly print: (text: string) => Promise<void>;
  /** Writes a message with a line break to the standard error. */
  readonly say: (line: string) => void;
  /** Shows a status line until the next status or message; nothing if the standard error is no terminal. */
  readonly show: (state: string) => void;
  readonly input: () => AsyncIterable<string>;
  /** The standard input as bytes, instead of `input`. */
  readonly inputBytes: () => AsyncIterable<Uint8Array>;
  readonly data: Face;
  readonly talk: Face;
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
   * process. Without this call the first one does.
   */
  readonly interruption: () => AbortSignal;
  /** Makes the exit code of the command that of an incomplete answer. */
  readonly noteIncomplete?: () => void;
}

/** Properties of one of the two outputs. */
export interface Face {
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
  const talk = faceOf(stderr);
  let shown = false;
  let isPaging = false;

  const clear = () => {
    if (shown) stderr.write('\r\u001b[K');
    shown = false;
  };
  return {
    print(text) {
      clear();
      return write(stdout, text);
    },
    say(line) {
      clear();
      stderr.write(`${line}\n`);
    },
    show(state) {
      if (talk.width === undefined) return;
      clear();
      // A wrapped line could not be cleared.
      stderr.write(shortenToWidth(state, talk.width - 1));
      shown = state !== '';
    },
    input: () => stdin.setEncoding('utf8'),
    inputBytes: () => stdin,
    data: faceOf(stdout),
    talk,
    environment: env,
    interruption: onceOnly(() => listenForSignals(() => isPaging)),
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
            return { ...pager, end };
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

function faceOf(stream: NodeJS.WriteStream): Face {
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
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Time in which repeated signals count as one Ctrl-C, in milliseconds: npm passes it on once more. */
const sameKeystroke = 500;

function listenForSignals(isPaging: () => boolean): AbortSignal {
  const controller = new AbortController();
  let first: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (signal === 'SIGINT' && isPaging()) return;
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
