import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Where Lucene is: all jars of a folder, by default the one of Debian's package liblucene8-java. */
const classpath = process.env.LUCENE_CLASSPATH ?? '/usr/share/java/*';

/** Lucene's answers to questions, one for each; `Patterns.java` says how both are written. */
export function askLucene(questions: readonly string[]): readonly string[] {
  const program = fileURLToPath(new URL('java/Patterns.java', import.meta.url));
  const run = spawnSync('java', ['-Xmx1g', '-cp', classpath, program], {
    input: questions.map((question) => `${question}\n`).join(''),
    encoding: 'latin1',
    maxBuffer: 2 ** 30,
  });
  if (run.error) throw new Error('Lucene could not be started', { cause: run.error });
  if (run.status !== 0) throw new Error(`Lucene failed: ${run.stderr}`);
  return run.stdout.split('\n').slice(0, -1);
}

/** A text as a word of a question. */
export function word(text: string): string {
  let digits = 'x';
  for (let i = 0; i < text.length; i++) digits += text.charCodeAt(i).toString(16).padStart(4, '0');
  return digits;
}
