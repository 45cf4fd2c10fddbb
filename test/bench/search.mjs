/**
 * Importing, indexing and searching varied logs, side by side with what else searches on one machine: Lucene with its index
 * sorted by time, SQLite's FTS5, DuckDB's LIKE on a plain table, and ripgrep, where they are installed. Prints tables for the
 * manual, the greatest loss first.
 *
 *     npm run build && node test/bench/search.mjs [logs] [folder] [rounds] [tools] [--corpus NAME]
 *
 * Each tool has a process of its own; they are asked in turns, once in a round, with warm files, and nothing that an earlier
 * answer left is used again. The least time of all rounds counts, and the processor time beside it; the spread is said. A
 * named folder is kept, with all that was built in it. Tools are names with commas between, "logquarry" first; all if none
 * is given. The corpora are those of search/varied-logs.mjs, "varied" if none is named.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { every, fields, questionsAbout } from './search/questions.mjs';
import { corpora, variedLogs } from './search/varied-logs.mjs';

const {
  values: { corpus },
  positionals,
} = parseArgs({ allowPositionals: true, options: { corpus: { type: 'string', default: 'varied' } } });
if (!corpora[corpus]) throw new Error(`There is no corpus "${corpus}": ${Object.keys(corpora).join(', ')}`);
const count = Number(positionals[0] ?? 100_000);
const folder = positionals[1] ?? mkdtempSync(join(tmpdir(), 'logquarry-bench-'));
const rounds = Number(positionals[2] ?? 9);
const wanted = positionals[3]?.split(',');
const isWanted = (name) => wanted?.includes(name) ?? true;
mkdirSync(folder, { recursive: true });
process.on('exit', () => positionals[1] === undefined && rmSync(folder, { recursive: true, force: true }));

const here = (name) => fileURLToPath(new URL(`search/${name}`, import.meta.url));
const file = (name) => join(folder, name);
const jars = process.env.LUCENE_CLASSPATH ?? '/usr/share/java/*';
const java = (task) => ['java', '-Xmx1g', '-cp', `${file('classes')}:${jars}`, 'Lucene', task, folder];

/** Writes the logs as NDJSON, and for a tool without a JSON reader as fields between control characters. */
async function writeLogs() {
  const files = [createWriteStream(file('logs.ndjson')), createWriteStream(file('rows.txt'))];
  let texts = [[], []];
  const flush = async () => {
    for (const [at, each] of files.entries()) if (!each.write(texts[at].join(''))) await once(each, 'drain');
    texts = [[], []];
  };
  let picks;
  for (const [index, log] of numbered(variedLogs(count, corpora[corpus]))) {
    texts[0].push(`${JSON.stringify(log)}\n`);
    const values = fields.map((field) => (log[field] ?? '').replaceAll('\n', '\u001e'));
    texts[1].push(`${[log.time, log.requestID, log.elapsed, ...values].join('\u001f')}\n`);
    const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(log.msg)?.[0];
    if (picks === undefined && count / 2 < index && uuid) picks = { corpus, uuid, requestId: log.requestID };
    if (texts[0].length === 5000) await flush();
  }
  await flush();
  await Promise.all(files.map((each) => once(each.end(), 'finish')));
  writeFileSync(file('picks.json'), JSON.stringify(picks));
}

function* numbered(items) {
  let index = 0;
  for (const item of items) yield [index++, item];
}

/** Builds what a tool needs; undefined where the tool is missing or fails, which is said. */
function built(name, [command, ...words]) {
  const { error, status, stdout, stderr } = spawnSync(command, words, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (!error && status === 0) return JSON.parse(stdout.trim().split('\n').at(-1));
  console.log(`${name} is missing or failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}\n`);
  return undefined;
}

/** Starts a tool that answers lines of text with lines of JSON. */
function started([command, ...words], toLine) {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(question, number) {
      child.stdin.write(`${toLine(question, number)}\n`);
      return JSON.parse((await lines.next()).value);
    },
    end: () => child.stdin.end(),
  };
}

const ripgrep = {
  async ask({ rg, rgFlags = [] }) {
    const start = performance.now();
    const { stdout, pid } = spawnSync('rg', ['-c', '-i', '-w', '-F', ...rgFlags, rg, file('logs.ndjson')], {
      encoding: 'utf8',
    });
    return { hits: Number(stdout), seconds: pid ? (performance.now() - start) / 1000 : Number.NaN };
  },
  end: () => {},
};

/** All tools that this machine has, each with its figures of building. */
function makeTools(questions) {
  mkdirSync(file('classes'), { recursive: true });
  spawnSync('javac', ['-nowarn', '-d', file('classes'), '-cp', jars, here('Lucene.java')]);
  rmSync(file('lucene'), { recursive: true, force: true });
  const byNumber = (_, number) => String(number);
  const byText = ({ work, lucene, text, value, from = '', to = '', field = 'time' }) =>
    [work, value ?? lucene ?? text, from, to, every, field].join('\t');
  const asked = JSON.stringify(questions.map((question) => ({ ...question, every })));
  const candidates = [
    {
      name: 'logquarry',
      command: (task) => [process.execPath, here('logquarry.mjs'), task, folder],
      toLine: byNumber,
      can: () => true,
    },
    { name: 'Lucene', command: java, toLine: byText, can: () => true },
    {
      name: 'SQLite FTS5',
      command: (task) => ['python3', here('fts5.py'), task, folder, asked],
      toLine: byNumber,
      can: ({ fts, ftsNot, work, field = 'source' }) =>
        (field === 'source' && (fts ?? ftsNot)) || work === 'trace',
    },
    {
      name: 'DuckDB LIKE',
      command: (task) => [process.execPath, here('like.mjs'), task, folder],
      toLine: byNumber,
      can: ({ like, work }) => like ?? work === 'trace',
    },
  ];
  const tools = candidates
    .filter(({ name }) => isWanted(name))
    .flatMap(({ name, command, toLine, can }) => {
      const figures = built(name, command('build'));
      return figures ? [{ name, figures, can, ...started(command('serve'), toLine) }] : [];
    });
  if (isWanted('ripgrep') && !spawnSync('rg', ['--version']).error)
    tools.push({ name: 'ripgrep', figures: {}, can: ({ rg, work }) => rg && work === 'count', ...ripgrep });
  return tools;
}

/** Asks all tools in turns; the answers of each tool to each question. */
async function askAll(tools, questions) {
  const answers = new Map(tools.map(({ name }) => [name, questions.map(() => [])]));
  for (const [number, question] of questions.entries())
    for (let round = 0; round < rounds + 3; round++)
      for (const tool of tools)
        if (tool.can(question)) answers.get(tool.name)[number].push(await tool.ask(question, number));
  for (const tool of tools) tool.end();
  return answers;
}

const grouped = (value) => Math.round(value).toLocaleString('en');
const shown = (value) => (value < 10 ? value.toPrecision(2) : grouped(value));
const table = (head, lines) =>
  console.log(
    [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n'),
    '\n',
  );
const least = (answers, of) => 1000 * Math.min(...answers.map((answer) => answer[of] ?? Number.NaN));
const mean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

if (!existsSync(file('picks.json'))) await writeLogs();
const picks = JSON.parse(readFileSync(file('picks.json'), 'utf8'));
if ((picks.corpus ?? 'varied') !== corpus) throw new Error(`The logs of the folder are "${picks.corpus}"`);
const questions = questionsAbout(picks);
const tools = makeTools(questions);
const answers = await askAll(tools, questions);
const gigabytes = statSync(file('logs.ndjson')).size / 1e9;
console.log(
  `${grouped(count)} ${corpus} logs, ${gigabytes.toFixed(2)} GB of NDJSON; ${availableParallelism()} × ${cpus()[0]?.model}, ${grouped(totalmem() / 2 ** 30)} GiB, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}, ${new Date().toISOString().slice(0, 10)}\n`,
);

const memoryOf = (name) =>
  Math.max(
    ...answers
      .get(name)
      .flat()
      .map(({ memory = 0 }) => memory),
  );
table(
  [
    '',
    'import s',
    'processor µs a log',
    'index s',
    'processor µs a log',
    'bytes a log',
    'of them index',
    'MB to build',
    'MB to search',
  ],
  tools
    .filter(({ name }) => name !== 'ripgrep')
    .map(({ name, figures: { load, index, bytes, indexBytes, memory } }) => [
      name,
      ...[load, index].flatMap((lap) =>
        lap ? [lap.seconds.toFixed(1), ((lap.processor / count) * 1e6).toFixed(1)] : ['', ''],
      ),
      ...[bytes, indexBytes].map((all) => (all === undefined ? '' : (all / count).toFixed(0))),
      ...[memory, memoryOf(name)].map(grouped),
    ]),
);

const [own, ...others] = tools;
const lines = questions.map(({ name }, number) => {
  const ours = answers.get(own.name)[number];
  const cells = others.map((tool) => {
    const theirs = answers.get(tool.name)[number];
    if (theirs.length === 0) return { text: '–' };
    const ratio = least(theirs, 'seconds') / least(ours, 'seconds');
    const differs = theirs[0].hits === ours[0].hits ? '' : ` (${grouped(theirs[0].hits)})`;
    return { ratio, text: `${shown(least(theirs, 'seconds'))} = ${shown(ratio)} ×${differs}` };
  });
  const slowest = 1000 * Math.max(...ours.slice(3).map(({ seconds }) => seconds));
  return {
    name,
    hits: ours[0].hits,
    own: least(ours, 'seconds'),
    processor: least(ours, 'processor'),
    slowest,
    cells,
  };
});
lines.sort((first, second) => (first.cells[0]?.ratio ?? 0) - (second.cells[0]?.ratio ?? 0));
table(
  ['ms, least of all rounds', 'found', own.name, 'processor', 'slowest', ...others.map(({ name }) => name)],
  lines.map((line) => [
    line.name,
    grouped(line.hits),
    ...[line.own, line.processor, line.slowest].map(shown),
    ...line.cells.map(({ text }) => text),
  ]),
);
const means = others.map(({ name }, at) => {
  const ratios = lines.flatMap(({ cells }) => (cells[at].ratio ? [cells[at].ratio] : []));
  return `${name} ${shown(mean(ratios))} ×`;
});
if (others.length > 0)
  console.log(`Geometric mean of the ratios (below 1 × the other is faster): ${means.join(', ')}.`);
