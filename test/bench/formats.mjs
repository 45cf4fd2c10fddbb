/**
 * Reading the regular formats besides plain NDJSON: the same logs, as each tool writes them. Two figures for each
 * format, in logs a second of processor time of all threads: reading alone, from bytes to records, and the load into
 * a case without the index.
 *
 *     npm run build && node test/bench/formats.mjs [logs] [format …]
 *
 * Every run is a process of its own. With `--profile FOLDER` reading writes a profile of the processor there.
 */
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const iso = (time) => new Date(time).toISOString();
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number) => String(number).padStart(2, '0');
const clockOf = (date) => [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const inCsv = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value);
const oneLine = (text) => text.replaceAll(/\s+/g, ' ');

const kubernetes = {
  pod_name: 'gis-feature-7d9c6b5f4-x2x8k',
  namespace_name: 'gis',
  labels: { app: 'gis-feature' },
  host: 'node-3',
};

/** How each format writes a log; `start` stands before the first, `end` behind the last, `between` elsewhere. */
const formats = {
  ndjson: { write: (log) => JSON.stringify(log) },
  reply: {
    start: '{"hasMore":false,"logMessages":[',
    between: ',\n',
    end: ']}\n',
    write: (log) => JSON.stringify(log),
  },
  docker: {
    write: (log) =>
      JSON.stringify({ log: `${JSON.stringify(log)}\n`, stream: 'stdout', time: iso(log.time) }),
  },
  'docker text': {
    write: (log) =>
      JSON.stringify({
        log: `${iso(log.time)} ${log.logLevel} ${oneLine(log.msg)}\n`,
        stream: 'stdout',
        time: iso(log.time),
      }),
  },
  cri: { write: (log) => `${iso(log.time)} stdout F ${JSON.stringify(log)}` },
  'cri text': { write: (log) => `${iso(log.time)} stdout F ${oneLine(log.msg)}` },
  filebeat: {
    write: (log) =>
      JSON.stringify({
        '@timestamp': iso(log.time),
        '@metadata': { beat: 'filebeat', type: '_doc', version: '8.12.0' },
        message: JSON.stringify(log),
        input: { type: 'container' },
        agent: { type: 'filebeat', version: '8.12.0', ephemeral_id: '7c2e', id: 'b1', name: 'node-3' },
        ecs: { version: '8.0.0' },
        host: { name: 'node-3' },
        log: { file: { path: '/var/log/containers/gis.log' }, offset: 123_456 },
        kubernetes,
      }),
  },
  'fluent bit': {
    write: (log) =>
      JSON.stringify({
        date: log.time / 1000,
        stream: 'stdout',
        _p: 'F',
        log: JSON.stringify(log),
        kubernetes,
      }),
  },
  journald: {
    write: (log) =>
      JSON.stringify({
        __REALTIME_TIMESTAMP: String(log.time * 1000),
        __CURSOR: 's=1;i=2',
        _HOSTNAME: 'node-3',
        PRIORITY: '6',
        SYSLOG_IDENTIFIER: 'gis',
        _PID: '812',
        MESSAGE: JSON.stringify(log),
      }),
  },
  loki: {
    write: (log) =>
      JSON.stringify({
        labels: { app: 'gis', pod: 'gis-1' },
        line: JSON.stringify(log),
        timestamp: iso(log.time),
      }),
  },
  csv: {
    start: 'time,logLevel,source,msg,logCode,elapsed,username,machine,process,thread,methodName,requestID\n',
    write: (log) =>
      [
        ...[iso(log.time), log.logLevel, log.source, log.msg, log.logCode, log.elapsed, log.username],
        ...[log.machine, log.process, log.thread, log.methodName, log.requestID],
      ]
        .map((value) => inCsv(value ?? ''))
        .join(','),
  },
  msg: {
    write: (log) =>
      `<Msg time="${iso(log.time).slice(0, 19)},${log.time % 1000}" type="${log.logLevel}" code="${log.logCode}" source="${escaped(log.source)}" process="${log.process}" thread="${log.thread}" methodName="${log.methodName ?? ''}" machine="${log.machine}" user="${log.username ?? ''}" elapsed="${log.elapsed ?? ''}" requestID="${log.requestID ?? ''}">${escaped(log.msg)}</Msg>`,
  },
  nginx: {
    write: (log, at) => {
      const date = new Date(log.time);
      const day = `${two(date.getUTCDate())}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}`;
      return `10.0.3.${at % 250} - ${log.username ?? '-'} [${day}:${clockOf(date)} +0000] "GET /arcgis/rest/services/roads/${at}/query?f=json HTTP/1.1" 200 ${512 + (at % 9000)} "https://gis.example.com/" "Mozilla/5.0 (X11; Linux x86_64)"`;
    },
  },
  syslog: {
    write: (log) => {
      const date = new Date(log.time);
      const day = String(date.getUTCDate()).padStart(2, ' ');
      return `${months[date.getUTCMonth()]} ${day} ${clockOf(date)} node-3 gis[812]: ${oneLine(log.msg)}`;
    },
  },
  'syslog 5424': {
    write: (log) => `<14>1 ${iso(log.time)} node-3 gis 812 - - ${oneLine(log.msg)}`,
  },
  logger: {
    write: (log) =>
      `${iso(log.time).replace('T', ' ').replace('Z', '')} ${log.logLevel === 'SEVERE' ? 'ERROR' : 'INFO'} [main-${log.thread}] com.example.gis.Service - ${oneLine(log.msg)}`,
  },
  w3c: {
    start:
      '#Software: Microsoft Internet Information Services 10.0\n#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip sc-status time-taken\n',
    write: (log, at) =>
      `${iso(log.time).slice(0, 10)} ${iso(log.time).slice(11, 19)} 10.0.0.1 GET /arcgis/rest/${at} f=json 443 - 10.0.3.7 200 ${at % 900}`,
  },
  postgres: {
    write: (log) =>
      `${iso(log.time).replace('T', ' ').replace('Z', '')} UTC [812] gis@store LOG:  ${oneLine(log.msg)}`,
  },
};

/** What a process of its own does with a file. */
const tasks = {
  async read(file) {
    const { openText, recordsOf } = await import('../../dist/records/index.js');
    const opened = await openText(createReadStream(file, { highWaterMark: 256 * 1024 }));
    let logs = 0;
    const start = process.cpuUsage();
    for await (const records of recordsOf(opened))
      for (const { kind } of records) logs += kind === 'log' ? 1 : 0;
    return { logs, format: opened.format, ...secondsSince(start) };
  },
  async load(file) {
    const { addFiles, openCase } = await import('../../dist/index.js');
    const start = process.cpuUsage();
    const into = await openCase(`${file}.duckdb`, { access: 'write', create: true });
    let logs = 0;
    for await (const { error, parts } of addFiles(into, [file])) {
      if (error) throw error;
      logs += parts.reduce((sum, part) => sum + part.logs, 0);
    }
    await into[Symbol.asyncDispose]();
    return { logs, ...secondsSince(start) };
  },
};

function secondsSince(start) {
  const { user, system } = process.cpuUsage(start);
  return { seconds: (user + system) / 1e6 };
}

const args = process.argv.slice(2);
if (args[0] in tasks) console.log(JSON.stringify(await tasks[args[0]](args[1])));
else await compare();

async function compare() {
  const profile = args.includes('--profile') ? args.splice(args.indexOf('--profile'), 2)[1] : undefined;
  const onlyRead = args.includes('--read') && args.splice(args.indexOf('--read'), 1).length === 1;
  const count = Number(args[0] ?? 300_000);
  const names = 1 < args.length ? args.slice(1) : Object.keys(formats);
  const { incidentLogs } = await import('../../dist/emulator/incident/incident-logs.js');
  const logs = [...incidentLogs({ count })];
  const folder = mkdtempSync(join(tmpdir(), 'logquarry-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  console.log(`${count.toLocaleString('en-US')} logs; logs a second of processor time`);
  for (const name of names) {
    const { start = '', between = '\n', end = '\n', write } = formats[name];
    const file = join(folder, `${name.replaceAll(' ', '-')}.log`);
    writeFileSync(file, start + logs.map(write).join(between) + end);
    const own = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
    const read = run('read', file, own);
    const load = onlyRead ? undefined : run('load', file, []);
    const lost = [read, ...(load ? [load] : [])].some((result) => result.logs !== count);
    console.log(
      [
        name.padEnd(12),
        `${Math.round(statSync(file).size / 1e6)} MB`.padStart(8),
        'read',
        rateOf(read),
        ...(load ? ['load', rateOf(load)] : []),
        lost ? `  LOGS ${read.logs} ${load?.logs ?? ''}` : '',
      ].join(' '),
    );
    for (const made of [file, `${file}.duckdb`, `${file}.duckdb.evidence`])
      rmSync(made, { recursive: true, force: true });
  }
}

function run(task, file, options) {
  const own = [...options, fileURLToPath(import.meta.url), task, file];
  return JSON.parse(execFileSync(process.execPath, own, { encoding: 'utf8' }));
}

function rateOf({ logs, seconds }) {
  return Math.round(logs / seconds)
    .toLocaleString('en-US')
    .padStart(8);
}
