import type { Terminal } from '../terminal/terminal.ts';
import { toStyle } from '../terminal/text.ts';

/** Receivers of what a command writes, and the end of its work. */
export interface PageTerminalOptions {
  readonly environment: Terminal['environment'];
  readonly signal: AbortSignal;
  /** Receives lasting messages. */
  readonly message: (line: string) => void;
  /** Receives status lines; an empty one clears the last. */
  readonly show?: (state: string) => void;
  /** Receives data. */
  readonly print?: (text: string) => void;
}

/** Columns of a status line. */
const statusWidth = 200;

/** A terminal whose output goes to a page. Nobody can be asked: a missing secret is an error. */
export function pageTerminal(options: PageTerminalOptions): Terminal {
  const { environment, signal, message, show = () => {}, print = () => {} } = options;
  const style = toStyle(false);
  return {
    print: async (text) => print(text),
    message,
    show,
    environment,
    async *input() {},
    async *inputBytes() {},
    stdout: { width: undefined, style },
    stderr: { width: statusWidth, style },
    interruption: () => signal,
  };
}
