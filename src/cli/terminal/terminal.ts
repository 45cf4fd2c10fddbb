import { askSecret } from './ask-secret.ts';
import { confirm } from './confirm.ts';
import { ClosedPipe, Interrupted } from './endings.ts';
import { type Style, toStyle } from './style.ts';
import { shortened } from './width.ts';

/** Where a command reads and writes. The only way of a command to the person or program that called it. */
export interface Terminal {
  /** Writes data. Resolves once it was taken, so that memory stays bounded; rejects with `ClosedPipe`. */
  readonly print: (text: string) => Promise<void>;
  /** Says something about the work; adds the line break. */
  readonly say: (line: string) => void;
  /** Shows a state that the next one or the next line takes the place of; nothing where `talk` is no terminal. */
  readonly show: (state: string) => void;
  readonly input: () => AsyncIterable<string>;
  readonly data: Face;
  readonly talk: Face;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Asks a person for a secret and shows none of it; absent where there is no person to ask. */
  readonly askSecret?: (question: string) => Promise<string>;
  /** Asks a person whether to go on; absent where there is no person to ask. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /**
   * A signal that the first Ctrl-C aborts, so that the work can be left in
   * order; the second ends the process. Without a call of this, the first does.
   */
  readonly interruption: () => AbortSignal;
}

/** What stands behind one of the two outputs. */
export interface Face {
  /** The columns of a terminal; undefined for a file or a pipe. */
  readonly width: number | undefined;
  readonly style: Style;
}

/** The terminal, files or pipes that the process was started with. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  // A failed write tells its caller; nobody can be told that the talk is not heard.
  stdout.on('error', () => {});
  stderr.on('error', () => {});
  const talk = faceOf(stderr);
  let shown = false;

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
      // A state that wraps could not be taken away again.
      stderr.write(shortened(state, talk.width - 1));
      shown = state !== '';
    },
    input: () => stdin.setEncoding('utf8'),
    data: faceOf(stdout),
    talk,
    environment: env,
    interruption: onceOnly(listenForSignals),
    ...(stdin.isTTY &&
      stderr.isTTY && {
        askSecret: (question) => askSecret(stdin, stderr, question),
        confirm: (question) => confirm(stdin, stderr, question),
      }),
  };
}

function faceOf(stream: NodeJS.WriteStream): Face {
  const { NO_COLOR, TERM } = process.env;
  return {
    // A terminal can become narrower at any time.
    get width() {
      return stream.isTTY ? stream.columns || 80 : undefined;
    },
    style: toStyle(stream.isTTY && !NO_COLOR && TERM !== 'dumb'),
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

/** One Ctrl-C can arrive several times: from the terminal, and passed on by npm. Milliseconds. */
const sameKeystroke = 500;

function listenForSignals(): AbortSignal {
  const controller = new AbortController();
  let first: number | undefined;
  const stop = () => {
    first ??= performance.now();
    if (sameKeystroke < performance.now() - first) process.exit(130);
    controller.abort(new Interrupted('Interrupted'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return controller.signal;
}
