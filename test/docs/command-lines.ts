import { readdirSync, readFileSync } from 'node:fs';

/** A command line that a page shows. */
export interface ShownLine {
  readonly page: string;
  /** The line without its prompt, `npx` and remark. */
  readonly line: string;
  /** The output below the line; absent if the page shows none. */
  readonly shown?: string;
}

/** The pages of the manual. */
export const manualPages = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter(
  (path) => path.endsWith('.md'),
);

/** Programs that command lines of the manual begin with. */
const programs =
  /^(npx|npm|logquarry|openssl|jq|cat|cp|curl|split|for|while|until|head|sed|duckdb|docker|git|sh|bash|export) /;

/** All command lines of a page in their order: those in indented and fenced blocks, and after a prompt. */
export function commandLinesOf(page: string): readonly ShownLine[] {
  const text = readFileSync(page, 'utf8');
  const blocks = text.matchAll(/^```(?:sh)?\n([\s\S]*?)^```$|((?:^(?: {4}.*)?\n)+)/gm);
  return [...blocks].flatMap(([, fenced, indented = '']) =>
    linesOf(fenced ?? indented.replace(/^ {4}/gm, ''), fenced !== undefined).map((each) => ({
      page,
      ...each,
    })),
  );
}

/** The command lines of a block. Without prompts each line is one, except in a fence. */
function linesOf(block: string, isFenced: boolean): readonly Omit<ShownLine, 'page'>[] {
  const [before = '', ...prompted] = block.split(/^\$ /m);
  const plain = isFenced ? [] : before.split('\n').filter((line) => programs.test(line));
  return [
    ...plain.map((line) => ({ line: commandOf(line) })),
    ...prompted.map((each) => {
      const [line = '', ...shown] = each.trimEnd().split('\n');
      return { line: commandOf(line), ...(shown.length > 0 && { shown: shown.join('\n') }) };
    }),
  ];
}

function commandOf(line: string): string {
  return line.replace(/^npx (?=logquarry )/, '').replace(/ +# [^'"]*$/, '');
}
