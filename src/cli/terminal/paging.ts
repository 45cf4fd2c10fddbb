import { type Pager, pagerCommand } from './pager.ts';
import type { Terminal } from './terminal.ts';
import { displayWidth } from './width.ts';

/** A terminal for one command. */
export interface Display {
  readonly terminal: Terminal;
  /** Prints what waits, and waits for the reader of a pager. */
  readonly end: () => Promise<void>;
}

/**
 * Shows more than one screen of data in a pager. Up to a screen it waits and is printed as it is, and
 * so it is without a terminal or a pager. Messages come after the pager.
 */
export function openPaging(terminal: Terminal): Display {
  const { pager: pagers } = terminal;
  const command = pagerCommand(terminal.environment);
  if (!pagers || command === undefined) return { terminal, end: async () => {} };
  let waiting: string | undefined = '';
  let pager: Pager | undefined;
  const messages: string[] = [];

  const flush = async () => {
    const text = waiting ?? '';
    waiting = undefined;
    if (text !== '') await terminal.print(text);
  };
  const paged: Terminal = {
    ...terminal,
    async print(text) {
      if (pager) return pager.write(text);
      if (waiting === undefined) return terminal.print(text);
      waiting += text;
      if (!isLonger(waiting, pagers.rows(), terminal.data.width)) return;
      terminal.show('');
      pager = pagers.start(command);
      await (pager ? pager.write(waiting) : flush());
    },
    say(line) {
      if (pager || waiting) messages.push(line);
      else terminal.say(line);
    },
    show(state) {
      if (!pager) terminal.show(state);
    },
  };
  return {
    terminal: paged,
    async end() {
      await (pager ? pager.end() : flush());
      for (const line of messages) terminal.say(line);
    },
  };
}

/** True if a text takes more rows than a screen without that of the prompt. */
function isLonger(text: string, rows: number, width: number | undefined): boolean {
  const lines = text.split('\n', rows + 1);
  if (rows < lines.length) return true;
  const taken = lines.map((line) => Math.max(1, Math.ceil(displayWidth(withoutStyle(line)) / (width ?? 80))));
  return rows < taken.reduce((sum, each) => sum + each, 0);
}

function withoutStyle(line: string): string {
  return line
    .split(String.fromCharCode(27))
    .map((piece, index) => (index === 0 ? piece : piece.replace(/^\[\d+m/, '')))
    .join('');
}
