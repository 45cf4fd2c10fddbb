import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TokenSpan } from '../../src/meaning/analyzer/analyze.ts';

/** Where Lucene is: all jars of a folder, by default the one of Debian's package liblucene8-java. */
const classpath = process.env.LUCENE_CLASSPATH ?? '/usr/share/java/*';

/** What Lucene's StandardAnalyzer makes of the texts, written as `describeTokens` writes it. */
export function luceneTokens(texts: readonly string[]): readonly string[] {
  const program = fileURLToPath(new URL('java/Tokens.java', import.meta.url));
  const run = spawnSync('java', ['-cp', classpath, program], {
    input: texts.map((text) => `${encode(text)}\n`).join(''),
    encoding: 'latin1',
    maxBuffer: 2 ** 30,
  });
  if (run.error) throw new Error('Lucene could not be started', { cause: run.error });
  if (run.status !== 0) throw new Error(`Lucene failed: ${run.stderr}`);
  return run.stdout.split('\n').slice(0, -1);
}

/** Tokens in one line: position, start, end and term of each, the term as UTF-16 units in hexadecimal. */
export function describeTokens(spans: readonly TokenSpan[]): string {
  return spans.map(({ term, from, to }, position) => `${position}:${from}:${to}:${encode(term)}`).join(' ');
}

function encode(text: string): string {
  let digits = '';
  for (let i = 0; i < text.length; i++) digits += text.charCodeAt(i).toString(16).padStart(4, '0');
  return digits;
}
