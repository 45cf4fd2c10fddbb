import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Ran } from '../cli/run-in-process.ts';
import type { ShownLine } from './command-lines.ts';

/** Columns of the terminal whose output the manual shows. */
export const shownWidth = 100;

/**
 * The printed texts of command lines whose output no page shows, by page and line. In all of them, as on
 * the pages, "…" stands for any text within a line, and for any lines if it is alone.
 */
const statements: ReadonlyMap<string, string> = new Map(
  readFileSync('test/docs/printed.txt', 'utf8')
    .split(/^# (?=[\w/.-]+\.md\n)/m)
    .slice(1)
    .flatMap((section) => {
      const [page = '', ...blocks] = section.split(/^\$ /m);
      return blocks.map((block) => {
        const [line = '', ...text] = block.trimEnd().split('\n');
        return [`${page.trim()}: ${line}`, text.join('\n')] as const;
      });
    }),
);

/** The text that a command line must print: that of its page, or a statement; undefined if there is neither. */
export function printedOf({ page, line, shown }: ShownLine): string | undefined {
  return shown ?? statements.get(`${page}: ${line}`);
}

/** Statements about command lines that are not in a list. */
export function statementsWithout(lines: readonly ShownLine[]): readonly string[] {
  const known = new Set(lines.map(({ page, line }) => `${page}: ${line}`));
  return [...statements.keys()].filter((key) => !known.has(key));
}

/** Lines of progress, such as "Exporting … 493 logs": they come only where a command takes seconds. */
const progress = /^[A-Z]\w+( \w+)? … .*\n/gm;

/** Compares the output of a command line, data before messages, with the text that it must print. */
export function expectPrinted(line: ShownLine, { out, err }: Pick<Ran, 'out' | 'err'>): void {
  const written = `${out}${err.replace(progress, '')}`.replace(/ +$/gm, '').trimEnd();
  const expected = printedOf(line);
  expect([line.line, expected === undefined ? undefined : comparable(expected, written)]).toEqual([
    line.line,
    written,
  ]);
}

/** The written text if it has the form of the expected one, otherwise the expected one, for a readable difference. */
function comparable(expected: string, written: string): string {
  const lines = expected.split('\n').map((line) => {
    if (line.trim() === '…') return '(?:\n.*)*?';
    return `\n${line.trimEnd().split('…').map(escapePattern).join('.*?')}`;
  });
  return new RegExp(`^${lines.join('')}$`).test(`\n${written}`) ? written : expected;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
