import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const jars = process.env.LUCENE_CLASSPATH ?? '/usr/share/java/*';
const classes = fileURLToPath(new URL('../../../node_modules/.cache/bench', import.meta.url));
const program = fileURLToPath(new URL('../java/Timing.java', import.meta.url));

/** Lucene as a process that can be asked, or undefined where Java or the jars are missing. */
export function startLucene() {
  const compiled = spawnSync('javac', ['-nowarn', '-d', classes, '-cp', jars, program]);
  if (compiled.status !== 0) return undefined;
  const java = spawn('java', ['-Xmx1g', '-cp', `${classes}:${jars}`, 'Timing'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: java.stdout })[Symbol.asyncIterator]();
  return {
    /** The answer to a line; `Timing.java` says what can be asked. */
    ask: async (verb, ...texts) => {
      java.stdin.write(`${[verb, ...texts.map((text) => Buffer.from(text).toString('hex'))].join(' ')}\n`);
      const { value } = await answers.next();
      return value;
    },
    stop: () => java.stdin.end(),
  };
}
