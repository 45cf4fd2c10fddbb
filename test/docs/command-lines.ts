import { readdirSync, readFileSync } from 'node:fs';

/** A command line that a page shows. */
export interface ShownLine {
  readonly page: string;
  /** The line without its prompt, `npx` and remark. */
  readonly line: string;
}

/** The pages of the manual. */
export const manualPages = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter(
  (path) => path.endsWith('.md'),
);

/** Programs that command lines of the manual begin with. */
const programs =
  /^(npx|npm|logquarry|openssl|jq|cat|cp|curl|split|for|while|until|head|sed|duckdb|docker|git|sh|bash|export) /;

/** All command lines of a page: those in indented and fenced blocks. */
export function commandLinesOf(page: string): readonly ShownLine[] {
  const text = readFileSync(page, 'utf8');
  const indented = [...text.matchAll(/^ {4}(\S.*)$/gm)].map(([, line = '']) => line);
  const fenced = [...text.matchAll(/^```(?:sh)?\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    [...block.matchAll(/^\$ (.+)$/gm)].map(([, line = '']) => line),
  );
  return [...indented, ...fenced]
    .filter((line) => programs.test(line))
    .map((line) => ({ page, line: line.replace(/^npx (?=logquarry )/, '').replace(/ {2,}# .*$/, '') }));
}
