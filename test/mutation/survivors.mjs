import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { explained } from './explained.mjs';

const undetected = new Set(['Survived', 'NoCoverage']);
const detected = new Set(['Killed', 'Timeout']);

/**
 * Prints the score without the survivors that `explained.mjs` names, the survivors
 * that it does not, and explanations that no survivor needs any more.
 */
export function printUnexplained(results) {
  const survivors = results.filter(({ status }) => undetected.has(status)).map(withText);
  const unexplained = survivors.filter((mutant) => !explained.some((entry) => isAbout(entry, mutant)));
  const killed = results.filter(({ status }) => detected.has(status)).length;
  const share = (100 * killed) / (killed + unexplained.length);
  const files = new Set(results.map(({ fileName }) => relative('.', fileName)));
  console.log(
    `\n${killed} killed, ${survivors.length} survived, ${survivors.length - unexplained.length} of them explained: ${share.toFixed(2)} %`,
  );
  for (const { file, line, text, replacement } of unexplained)
    console.log(`${file}:${line}: ${text.slice(0, 100)} ==> ${inOneLine(replacement).slice(0, 80)}`);
  for (const entry of explained)
    if (files.has(entry.file) && !survivors.some((mutant) => isAbout(entry, mutant)))
      console.log(`No survivor needs the explanation of ${entry.file}: ${entry.code}`);
}

/** A mutant with the text that it replaces, in one line. */
function withText({ fileName, location: { start, end }, replacement }) {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last].slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return { file: relative('.', fileName), line: start.line, text: inOneLine(lines.join(' ')), replacement };
}

/** An entry without `becomes` is about every change of its code. */
function isAbout({ file, code, becomes }, mutant) {
  const isSame = becomes === undefined || [becomes].flat().includes(inOneLine(mutant.replacement));
  return isSame && file === mutant.file && code === mutant.text;
}

function inOneLine(text) {
  return text.replaceAll(/\s+/g, ' ');
}
