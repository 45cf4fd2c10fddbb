import { runCommandLine } from '../../src/cli/run.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { toStyle } from '../../src/cli/terminal/text.ts';

/** Output and exit code of a command line. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Settings of a call of a command line. */
export interface RunOptions {
  readonly input?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  /** The columns of a terminal; none stands for pipes. */
  readonly width?: number;
  /** Stands for Ctrl-C. */
  readonly signal?: AbortSignal;
  /** Answer of a person to a question; nobody answers unless given. */
  readonly confirm?: boolean;
  /** Called with each piece of the output; what it throws, printing rejects with. */
  readonly onPrint?: (text: string) => void;
}

/** Runs a command line in this process, with pipes unless a width is given. */
export async function run(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const {
    input = '',
    environment = {},
    width,
    confirm,
    onPrint,
    signal = new AbortController().signal,
  } = options;
  const written = { out: '', err: '' };
  const face = { width, style: toStyle(false) };
  const terminal: Terminal = {
    async print(text) {
      written.out += text;
      onPrint?.(text);
    },
    message(line) {
      written.err += `${line}\n`;
    },
    show() {},
    async *input() {
      yield String(input);
    },
    async *inputBytes() {
      yield Buffer.from(input);
    },
    stdout: face,
    stderr: face,
    // No profile of who runs the tests is read.
    environment: { XDG_CONFIG_HOME: '/nowhere', ...environment },
    interruption: () => signal,
    ...(confirm !== undefined && { confirm: async () => confirm }),
  };
  const code = await runCommandLine(words, terminal);
  return { code, ...written };
}
