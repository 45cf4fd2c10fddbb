import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { explained } from './explained.mjs';

const undetected = new Set(['Survived', 'NoCoverage']);
const detected = new Set(['Killed', 'Timeout']);

/** Every `sample`-th mutant was tried; those that no test reaches are known of all. */
const sample = Number(process.env.MUTATION_SAMPLE ?? 1);

/**
 * Prints the score without the survivors that `explained.mjs` names, and the
 * survivors that it does not.
 */
export function printUnexplained(all) {
  const results = all.filter(({ id }) => Number(id) % sample === 0);
  const survivors = results.filter(({ status }) => undetected.has(status)).map(withText);
  const unexplained = survivors.filter((mutant) => !isExplained(mutant));
  const killed = results.filter(({ status }) => detected.has(status)).length;
  const share = (100 * killed) / (killed + unexplained.length);
  const others = survivors.length - unexplained.length;
  console.log(
    `\n${killed} killed, ${others} explained, ${unexplained.length} unexplained: ${share.toFixed(2)} %`,
  );
  for (const { file, line, text, becomes } of unexplained)
    console.log(`${file}:${line}: ${text.slice(0, 100)} ==> ${becomes.slice(0, 80)}`);
}

/** A mutant with the text that it replaces, in one line. */
function withText({ fileName, location: { start, end }, replacement }) {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last].slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  const text = inOneLine(lines.join(' '));
  return { file: relative('.', fileName), line: start.line, text, becomes: inOneLine(replacement) };
}

function isExplained({ file, text, becomes }) {
  const [why, ...replacements] = explained[file]?.[text] ?? [];
  return why !== undefined && (replacements.length === 0 || replacements.includes(becomes));
}

function inOneLine(text) {
  return text.replaceAll(/\s+/g, ' ');
}
