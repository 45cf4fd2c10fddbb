import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where Lucene is: all jars of a folder, by default the one of Debian's package liblucene8-java. */
const jars = process.env.LUCENE_CLASSPATH ?? '/usr/share/java/*';
const classes = fileURLToPath(new URL('../../node_modules/.cache/live', import.meta.url));

const compiled = new Set<string>();

/** Answers of a program of the folder `java` to some lines: one line for each. */
export function askJava(program: string, lines: readonly string[]): readonly string[] {
  if (!compiled.has(program)) compile(program);
  compiled.add(program);
  // Each run is short: a compiler that takes its time would never pay off.
  const options = ['-Xmx1g', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
  const output = run(
    'java',
    [...options, '-cp', `${classes}:${jars}`, program],
    lines.map((line) => `${line}\n`).join(''),
  );
  const answers = output.split('\n').slice(0, -1);
  if (answers.length !== lines.length) throw new Error(`${program}.java left questions open`);
  return answers;
}

function compile(program: string): void {
  const path = fileURLToPath(new URL(`java/${program}.java`, import.meta.url));
  mkdirSync(classes, { recursive: true });
  run('javac', ['-nowarn', '-d', classes, '-cp', jars, path], '');
}

function run(command: string, options: readonly string[], input: string): string {
  const { error, status, stdout, stderr } = spawnSync(command, options, {
    input,
    encoding: 'latin1',
    maxBuffer: 2 ** 30,
  });
  if (error) throw new Error(`"${command}" could not be started; a JDK is required`, { cause: error });
  if (status !== 0) throw new Error(`"${command} ${options.at(-1)}" failed: ${stderr}`);
  return stdout;
}

/** A text as a word of a line. */
export function word(text: string): string {
  let digits = 'x';
  for (let at = 0; at < text.length; at += 1) digits += text.charCodeAt(at).toString(16).padStart(4, '0');
  return digits;
}
