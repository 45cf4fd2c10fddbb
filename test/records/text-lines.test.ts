import { describe, expect, test } from 'vitest';
import type { LogRecord } from '../../src/records/log.ts';
import { checkReading, readAll } from './check-reading.ts';

/** The records of lines, and that every chunk and every position is right. */
async function logsOf(lines: readonly string[], format: string): Promise<LogRecord[]> {
  const text = `${lines.join('\n')}\n`;
  const whole = await readAll(text);
  expect(whole.format).toBe(format);
  expect(await readAll(text, { chunkLength: 7 })).toEqual(whole);
  expect((await readAll(text.replaceAll('\n', '\r\n'))).records.map(({ kind }) => kind)).toEqual(
    whole.records.map(({ kind }) => kind),
  );
  const bytes = new TextEncoder().encode(text);
  for (const { raw, position } of whole.records) {
    const own = bytes.subarray(position.offset, position.offset + position.length);
    expect(new TextDecoder().decode(own)).toBe(raw);
  }
  return whole.records.map((record) => {
    if (record.kind !== 'log') throw new Error(JSON.stringify(record));
    return record;
  });
}

const time = Date.UTC(2025, 4, 14, 6, 10, 34, 739);
const second = Math.floor(time / 1000) * 1000;

describe('other logs', () => {
  test.each<[string, string, string, object, object]>([
    [
      'httpd and nginx, combined',
      'access log',
      '192.0.2.9 - mira [14/May/2025:08:10:34 +0200] "GET /rest/parks?f=json HTTP/1.1" 502 12 "https://x.example/" "Agent \\"1\\""',
      { time: second, msg: 'GET /rest/parks?f=json HTTP/1.1 502', username: 'mira' },
      { client: '192.0.2.9', status: '502', bytes: '12', agent: 'Agent \\"1\\"' },
    ],
    [
      'a user with blanks, as servers write it',
      'access log',
      '192.0.2.9 - Mira Lind [HQ] [14/May/2025:08:10:34 +0200] "GET /rest HTTP/1.1" 200 12',
      { time: second, msg: 'GET /rest HTTP/1.1 200', username: 'Mira Lind [HQ]' },
      { client: '192.0.2.9', status: '200' },
    ],
    [
      'httpd, common, with a virtual host',
      'access log',
      'gis.example:443 192.0.2.9 - - [14/May/2025:06:10:34 +0000] "-" 408 -',
      { time: second, msg: '408' },
      { vhost: 'gis.example:443' },
    ],
    [
      'Envoy, its default format',
      'access log',
      '[2025-05-14T06:10:34.739Z] "POST /rest/x?f=json HTTP/2" 503 UF,URX 12 95 250 - "192.0.2.9" "curl/8" "b2f5" "gis.example" "10.0.0.1:80"',
      { time, msg: 'POST /rest/x?f=json HTTP/2 503', elapsed: 0.25, requestID: 'b2f5' },
      { flags: 'UF,URX', received: '12', sent: '95', authority: 'gis.example' },
    ],
    [
      'Istio',
      'access log',
      '[2025-05-14T06:10:34.739Z] "GET /rest HTTP/1.1" 200 - via_upstream - "-" 0 95 12 11 "-" "curl" "b2" "gis" "10.0.0.1:80" inbound|80|| 127.0.0.6:1 10.0.0.1:80 10.0.0.2:1 - default',
      { time, msg: 'GET /rest HTTP/1.1 200', elapsed: 0.012 },
      { details: 'via_upstream', upstream_time: '11' },
    ],
    [
      'an application load balancer',
      'load balancer',
      'h2 2025-05-14T06:10:34.739000Z app/gis/50dc6c495c0c9188 192.0.2.9:2817 10.0.0.1:6443 0.000 1.250 0.000 504 - 34 366 "GET https://gis.example:443/rest HTTP/2.0" "curl/7" ECDHE TLSv1.2 arn:x "Root=1"',
      { time, msg: 'GET https://gis.example:443/rest HTTP/2.0 504' },
      { target: '10.0.0.1:6443', target_time: '1.250' },
    ],
    [
      'a classic load balancer',
      'load balancer',
      '2025-05-14T06:10:34.739000Z gis 192.0.2.9:2817 10.0.0.1:80 0.00007 0.001 0.00005 200 200 0 29 "GET http://gis.example:80/ HTTP/1.1" "curl/7" - -',
      { time, msg: 'GET http://gis.example:80/ HTTP/1.1 200' },
      { elb: 'gis' },
    ],
    [
      'HAProxy behind syslog',
      'load balancer',
      'May 14 06:10:34 lb haproxy[14389]: 192.0.2.9:33317 [14/May/2025:06:10:34.739] https~ gis/node1 10/0/30/69/1109 200 2750 - - ---- 1/1/1/1/0 0/0 {gis.example} {} "GET /rest HTTP/1.1"',
      { time, msg: 'GET /rest HTTP/1.1 200', elapsed: 1.109, process: '14389' },
      { backend: 'gis', server: 'node1' },
    ],
    [
      'nginx, errors',
      'error log',
      '2025/05/14 06:10:34 [error] 123#45: *1 connect() failed (111: Connection refused) while connecting to upstream',
      { time: second, process: '123', thread: '45', msg: expect.stringMatching(/^\*1 connect/) },
      {},
    ],
    [
      'httpd, errors',
      'error log',
      '[Wed May 14 06:10:34.739123 2025] [proxy:error] [pid 12:tid 34] [client 192.0.2.9:99] AH01114: HTTP: failed',
      { time, process: '12', thread: '34', msg: 'AH01114: HTTP: failed' },
      { module: 'proxy', client: '192.0.2.9:99' },
    ],
    [
      'Tomcat',
      'catalina',
      '14-May-2025 06:10:34.739 SEVERE [main] org.apache.catalina.core.StandardContext.start One or more listeners failed',
      {
        time,
        logLevel: 'SEVERE',
        thread: 'main',
        methodName: 'start',
        className: 'org.apache.catalina.core.StandardContext',
        msg: 'One or more listeners failed',
      },
      {},
    ],
    [
      'Karaf',
      'karaf',
      '2025-05-14T06:10:34,739 | WARN  | qtp1-33 | Listener                         | 15 - org.example.web - 7.2 | Slow answer',
      {
        time,
        logLevel: expect.stringMatching(/^WARN/),
        thread: 'qtp1-33',
        className: 'Listener',
        msg: 'Slow answer',
      },
      { bundle: '15 - org.example.web - 7.2' },
    ],
    [
      'PostgreSQL',
      'postgres',
      '2025-05-14 06:10:34.739 UTC [1234] sde@gis ERROR:  relation "parks" does not exist at character 15',
      { time, logLevel: 'SEVERE', process: '1234', username: 'sde' },
      { database: 'gis', label: 'ERROR' },
    ],
    [
      'PostgreSQL, a duration',
      'postgres',
      '2025-05-14 06:10:34.739 UTC [1234] LOG:  duration: 1250.5 ms  statement: SELECT 1',
      { logLevel: 'INFO', elapsed: 1.2505 },
      {},
    ],
    [
      'Log4j',
      'logger',
      '2025-05-14 06:10:34,739 [pool-1] ERROR org.example.Sheet - Printing was refused',
      { time, thread: 'pool-1', className: 'org.example.Sheet', msg: 'Printing was refused' },
      {},
    ],
    [
      'Python',
      'logger',
      '2025-05-14 06:10:34,739 - app.sheets - ERROR - Printing was refused',
      { time, className: 'app.sheets', logLevel: 'SEVERE', msg: 'Printing was refused' },
      {},
    ],
    [
      'Spring Boot',
      'logger',
      '2025-05-14T06:10:34.739Z  INFO 71 --- [  main] o.e.Application  : Started: yes',
      {
        time,
        logLevel: 'INFO',
        process: '71',
        thread: 'main',
        className: 'o.e.Application',
        msg: 'Started: yes',
      },
      {},
    ],
    [
      'Tomcat in German',
      'catalina',
      '14-May-2025 06:10:34.739 SCHWERWIEGEND [main] org.a.B.start Fehler beim Starten',
      { time, logLevel: 'SEVERE', msg: 'Fehler beim Starten' },
      { level: 'SCHWERWIEGEND' },
    ],
    [
      'glog, with a year',
      'klog',
      'W20250514 06:10:34.739123 12345 reflector.go:561] watch ended: "a" err="b"',
      { time, logLevel: 'WARNING', thread: '12345', msg: 'watch ended: "a" err="b"' },
      { level: 'W', file: 'reflector.go', line: '561' },
    ],
    [
      'logfmt of logrus',
      'logfmt',
      String.raw`time="2025-05-14T06:10:34.739Z" level=error msg="sheet \"A3\"\nat C:\\x \u2026" pod=print-0 empty=`,
      { time, logLevel: 'SEVERE', msg: 'sheet "A3"\nat C:\\x \u2026' },
      { pod: 'print-0' },
    ],
    [
      'logfmt of Grafana',
      'logfmt',
      'logger=alerts t=2025-05-14T06:10:34.739Z level=warn msg=slow duration=1.2s err="a b"',
      { time, className: 'alerts', logLevel: 'WARNING', msg: 'slow' },
      { duration: '1.2s', err: 'a b' },
    ],
    [
      'logfmt without a message',
      'logfmt',
      'ts=2025-05-14T06:10:34.739Z caller=main.go:12 level=error err="no space left"',
      { time, logLevel: 'SEVERE', msg: 'no space left' },
      { caller: 'main.go:12' },
    ],
  ])('%s', async (_, format, line, log, extra) => {
    const [first, last] = await logsOf([line, line], format);
    expect(first?.log).toMatchObject(log);
    expect(last?.log).toEqual(first?.log);
    expect(first?.extra ?? {}).toMatchObject(extra);
    expect(first?.log.source).toBe(format);
  });

  test('a stack trace belongs to its record', async () => {
    const lines = [
      '14-May-2025 06:10:34.739 SEVERE [main] a.B.run Failed',
      '\tjava.io.IOException: No space left on device',
      '\t\tat a.B.run(B.java:12)',
      '',
      '14-May-2025 06:10:35.000 INFO [main] a.B.stop Ended',
    ];
    const [first, second] = await logsOf(lines, 'catalina');
    expect(first?.log.msg).toContain('No space left on device\n\t\tat a.B.run(B.java:12)');
    expect(second?.log).toMatchObject({ logLevel: 'INFO', msg: 'Ended' });
  });

  test('klog without a year has no time, but what it has of it; behind a prefix that of the prefix counts', async () => {
    const line = 'E1129 10:20:30.123456    1 file.go:12] Failed';
    const [first] = await logsOf([line, 'goroutine 1 [running]:', line], 'klog');
    expect(first?.log).toEqual({
      source: 'klog',
      logLevel: 'SEVERE',
      thread: '1',
      msg: 'Failed\ngoroutine 1 [running]:',
    });
    expect(first?.extra).toMatchObject({ clock: '11-29 10:20:30.123456' });
    expect(first?.remarks).toEqual([{ code: 'WRONG_TYPE', field: 'time' }]);
    const [prefixed] = await logsOf([`2025-05-14T06:10:34.739Z stderr F ${line}`], 'prefixed lines');
    expect(prefixed?.log).toMatchObject({ time, logLevel: 'SEVERE', msg: 'Failed' });
    expect(prefixed?.remarks).toBeUndefined();
    const [syslog] = await logsOf(['Nov 29 10:20:30 node1 gis[7]: Failed'], 'prefixed lines');
    expect(syslog?.log.time).toBeUndefined();
    expect(syslog?.extra).toMatchObject({ prefix: { time: 'Nov 29 10:20:30' } });
    expect(syslog?.remarks).toEqual([{ code: 'WRONG_TYPE', field: 'time' }]);
  });

  test.each([
    ['settings', 'level=info\nmsg=hello\npath = /x\n'],
    ['pairs that are no log', 'a=1 b=2\nc=3 d=4\n'],
    ['a query of a service', 'f=json&msg=x&time=1 HTTP/1.1\n'],
  ])('%s are no logfmt', async (_, text) => {
    expect((await readAll(text)).format).not.toBe('logfmt');
  });

  test('logs of other programs in between are records of their own', async () => {
    const tomcat = '14-May-2025 06:10:34.739 SEVERE [main] a.B.run Failed';
    const json = JSON.stringify({ time, logLevel: 'WARNING', msg: 'Slow' });
    // JSON in the lines by which a format is recognised makes it NDJSON.
    const before = Array.from({ length: 1_500 }, () => tomcat);
    const lines = [
      ...before,
      tomcat,
      '\tat a.B.run(B.java:12)',
      '2025-05-14 06:10:34,739 [pool-1] ERROR org.example.Sheet - Printing was refused',
      'Caused by: x',
      '{"note":"no log"}',
      json,
      tomcat,
    ];
    const logs = await logsOf(lines, 'catalina');
    expect(logs.slice(before.length).map(({ log }) => [log.source, log.time, log.msg])).toEqual([
      ['catalina', time, 'Failed\n\tat a.B.run(B.java:12)'],
      ['logger', time, 'Printing was refused\nCaused by: x\n{"note":"no log"}'],
      [undefined, time, 'Slow'],
      ['catalina', time, 'Failed'],
    ]);
    const late = await readAll([...before, '<Msg time="1">a</Msg>', tomcat].join('\n'));
    expect(late.records.filter(({ kind }) => kind === 'unreadable')).toMatchObject([{ code: 'BAD_LINE' }]);
  });

  test.each([
    ['a table', 'time,msg\r2025-05-14T06:10:34Z,a\r2025-05-14T06:10:35Z,b\r'],
    [
      'a log',
      '14-May-2025 06:10:34.739 SEVERE [main] a.B.run a\r14-May-2025 06:10:35.739 SEVERE [main] a.B.run b\r',
    ],
  ])('%s whose lines end in a carriage return alone is refused', async (_, text) => {
    const { records } = await readAll(text);
    expect(records).toMatchObject([{ kind: 'unreadable', code: 'NOT_LOGS' }]);
  });

  test('the old form of Tomcat has its level in a second line', async () => {
    const lines = [
      'May 14, 2025 6:10:34 PM org.a.B start',
      'WARNING: Slow',
      'May 14, 2025 12:00:00 AM org.a.B stop',
      'INFO: Ended',
      '\tand more',
    ];
    const [first, second] = await logsOf(lines, 'catalina');
    expect(first?.log).toMatchObject({
      time: Date.UTC(2025, 4, 14, 18, 10, 34),
      logLevel: 'WARNING',
      msg: 'Slow',
      methodName: 'start',
    });
    expect(second?.log).toMatchObject({ time: Date.UTC(2025, 4, 14), msg: 'Ended\n\tand more' });
  });

  test('IIS has columns by its headings, which come again', async () => {
    const lines = [
      '#Software: Microsoft Internet Information Services 10.0',
      '#Version: 1.0',
      '#Date: 2025-05-14 06:10:30',
      '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query cs-username c-ip cs(User-Agent) sc-status time-taken',
      '2025-05-14 06:10:34 10.0.0.1 GET /arcgis/rest f=json mira 192.0.2.9 Agent+1 500 1250',
      '#Fields: time cs-method cs-uri-stem sc-status',
      '06:10:35 POST /x 200',
    ];
    const [first, second] = await logsOf(lines, 'w3c');
    expect(first?.log).toEqual({
      time: second ? Date.UTC(2025, 4, 14, 6, 10, 34) : 0,
      source: 'IIS',
      msg: 'GET /arcgis/rest?f=json 500',
      username: 'mira',
      elapsed: 1.25,
    });
    expect(first?.extra).toMatchObject({ 'c-ip': '192.0.2.9', 'sc-status': '500' });
    expect(first?.remarks).toBeUndefined();
    expect(second?.log).toMatchObject({ time: Date.UTC(2025, 4, 14, 6, 10, 35), msg: 'POST /x 200' });
  });

  test('CloudFront has tabs, and seconds', async () => {
    const lines = [
      '#Version: 1.0',
      '#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status time-taken',
      '2025-05-14\t06:10:34\tFRA2\t1045\t192.0.2.9\tGET\td1.example\t/rest\t200\t1.250',
    ];
    const [first] = await logsOf(lines, 'w3c');
    expect(first?.log).toMatchObject({ source: 'CloudFront', elapsed: 1.25, msg: 'GET /rest 200' });
  });

  test('a line of another form is unreadable, and takes no other with it', async () => {
    const line = '192.0.2.9 - - [14/May/2025:06:10:34 +0000] "GET / HTTP/1.1" 200 12';
    const { records } = await readAll([line, 'what is this', line].join('\n'));
    expect(records.map((record) => ('code' in record ? record.code : record.log.msg))).toEqual([
      'GET / HTTP/1.1 200',
      'BAD_LINE',
      'GET / HTTP/1.1 200',
    ]);
  });

  test.each<[string, string]>([
    ['a letter', 'Dear colleagues,\n\nthe server was slow on 2025-05-14 at noon.\nINFO: see below.\n'],
    [
      'a list of files',
      '-rw-r--r-- 1 root root 10 May 14 06:10 a.log\n-rw-r--r-- 1 root root 10 May 14 06:10 b.log\n',
    ],
  ])('%s is no log', async (_, text) => {
    expect((await readAll(text)).format).toBe('unknown');
  });
});

describe('lines with a prefix', () => {
  test.each<[string, string, object]>([
    ['a pod and its container', 'gis-0 server ', { pod: 'gis-0', container: 'server' }],
    [
      'a namespace, too',
      'prod gis-7d9c6b5f4-x2x8k server ',
      { namespace: 'prod', pod: 'gis-7d9c6b5f4-x2x8k', container: 'server' },
    ],
  ])('stern: %s', async (_, start, prefix) => {
    const lines = [`${start}{"time":5,"msg":"a"}`, `${start}2025-05-14T06:10:34.739Z any text`];
    const [json, text] = await logsOf(lines, 'prefixed lines');
    expect(json).toMatchObject({ log: { time: 5, msg: 'a' }, extra: { prefix } });
    expect(text).toMatchObject({ log: { time, msg: 'any text' }, extra: { prefix } });
  });

  const json = (msg: string, more = {}) =>
    JSON.stringify({ time, logLevel: 'SEVERE', logCode: 9003, msg, ...more });

  test.each<[string, string, object]>([
    [
      'kubectl logs --timestamps',
      '2025-05-14T06:10:40.000000000Z ',
      { time: '2025-05-14T06:10:40.000000000Z' },
    ],
    ['Grafana', '2025-05-14T06:10:40Z\t', { time: '2025-05-14T06:10:40Z' }],
    ['logcli', '2025-05-14T06:10:40Z {app="gis", pod="gis-0"} ', { labels: '{app="gis", pod="gis-0"}' }],
    ['aws logs tail', '2025-05-14T06:10:40.1Z gis/server/0a1b ', { logStream: 'gis/server/0a1b' }],
    ['kubectl logs --prefix', '[pod/gis-0/server] ', { pod: 'pod/gis-0/server' }],
    [
      'CRI',
      '2025-05-14T06:10:40.1Z stdout F ',
      { time: '2025-05-14T06:10:40.1Z', stream: 'stdout', tag: 'F' },
    ],
    ['docker compose', 'gis-1  | ', { container: 'gis-1' }],
    [
      'syslog',
      'May 14 06:10:40 node1 gis[7]: ',
      { time: 'May 14 06:10:40', host: 'node1', program: 'gis', pid: '7' },
    ],
    [
      'RFC 5424',
      '<14>1 2025-05-14T06:10:40Z node1 gis 7 ID1 [a@1 b="c\\"]"] ',
      { host: 'node1', program: 'gis' },
    ],
    ['grep', 'a.log:', { file: 'a.log' }],
    ['grep -n, coloured', '\x1b[35m\x1b[Ka.log\x1b[m\x1b[K:12:', { file: 'a.log', line: '12' }],
  ])('%s before JSON stays beside the log', async (_, prefix, parts) => {
    const [first, last] = await logsOf([prefix + json('a'), prefix + json('b')], 'prefixed lines');
    expect(first?.log).toEqual({ time, logLevel: 'SEVERE', logCode: 9003, msg: 'a' });
    expect(first?.extra).toMatchObject({ prefix: parts });
    expect(last?.log.msg).toBe('b');
  });

  test('the time of a prefix counts where JSON has none', async () => {
    const [first] = await logsOf(
      ['2025-05-14T06:10:34.739Z {"msg":"a"}', '2025-05-14T06:10:34.739Z {"x":1}'],
      'prefixed lines',
    );
    expect(first?.log).toEqual({ time, msg: 'a' });
  });

  test('text behind a prefix is a message, or a record of its own format', async () => {
    const prefix = '2025-05-14T06:10:40.000Z stdout F ';
    const lines = [
      `${prefix}Worker was started: 12 threads`,
      `${prefix}2025-05-14 06:10:34,739 [pool-1] ERROR a.B - Failed`,
      `${prefix}\tat a.B.run(B.java:12)`,
      `${prefix}Ended`,
    ];
    const [first, second, third] = await logsOf(lines, 'prefixed lines');
    expect(first?.log).toEqual({
      time: Date.UTC(2025, 4, 14, 6, 10, 40),
      msg: 'Worker was started: 12 threads',
    });
    expect(second?.log).toMatchObject({ time, className: 'a.B', msg: 'Failed\n\tat a.B.run(B.java:12)' });
    expect(third?.log.msg).toBe('Ended');
  });

  test('lines that a container runtime cut are joined', async () => {
    const at = '2025-05-14T06:10:40.000Z stdout';
    const long = json('x'.repeat(50));
    const [first, second] = await logsOf(
      [`${at} P ${long.slice(0, 40)}`, `${at} F ${long.slice(40)}`, `${at} F ${json('b')}`],
      'prefixed lines',
    );
    expect([first?.log.msg, second?.log.msg]).toEqual(['x'.repeat(50), 'b']);
  });

  test('syslog names its program as the source; its time without a year stays beside the log', async () => {
    const [first] = await logsOf(
      ['May 14 06:10:40 node1 sshd[7]: Session opened', 'May 14 06:10:41 node1 cron: x'],
      'prefixed lines',
    );
    expect(first?.log).toEqual({ machine: 'node1', source: 'sshd', process: '7', msg: 'Session opened' });
    expect(first?.extra).toEqual({ prefix: { time: 'May 14 06:10:40' } });
  });
});

test('the scheme of a load balancer is no level, and Spring has its thread behind the name of the program', async () => {
  const rest = 'app/x/1 192.0.2.9:28 - -1 -1 -1 503 - 34 366 "GET https://x:443/a HTTP/1.1" "curl/7" - -';
  const balanced = await readAll(`https 2025-05-14T06:10:34.739Z ${rest}\n`);
  expect(balanced.records).toMatchObject([{ kind: 'log', extra: { scheme: 'https' } }]);
  expect(balanced.records[0]).not.toHaveProperty('log.logLevel');
  const spring = '2025-05-14T06:10:34.739Z ERROR 12 --- [gis] [nio-1] c.e.App    : broke\n';
  const log = { className: 'c.e.App', thread: 'nio-1', process: '12', msg: 'broke', logLevel: 'SEVERE' };
  expect((await readAll(spring)).records).toMatchObject([{ log, extra: { application: 'gis' } }]);
});

test('marks of joined files and colours around records are no records', async () => {
  const log = (number: number) => JSON.stringify({ time: 1747203000000, message: `m${number}` });
  const joined = await readAll(`${log(1)}\n\ufeff${log(2)}\n`);
  expect(joined.records.map((record) => record.kind === 'log' && record.log.msg)).toEqual(['m1', 'm2']);
  await checkReading(`\x1b[32m${log(1)}\x1b[0m\n\x1b[31m${log(2)}\x1b[0m\n`, 'ndjson', ['m1', 'm2']);
  await checkReading(`${log(1)}\n\x1b[31mlost\n`, 'ndjson', ['m1', 'BAD_JSON: \x1b[31mlost']);
  const msg = (text: string) => `<Msg time="2025-05-14T06:10:08,912" type="INFO" code="1">${text}</Msg>`;
  const coloured = `\x1b[32m${msg('a')}\x1b[0m\n\x1b[31m\x1b[K${msg('b')}\x1b[m\n`;
  for (const chunkLength of [1 << 20, 7, 1]) {
    const { records } = await readAll(coloured, { chunkLength });
    expect(records.map((record) => record.kind === 'log' && record.log.msg)).toEqual(['a', 'b']);
    expect(records.map(({ position }) => position.number)).toEqual([1, 2]);
  }
});

test('the times of nginx in JSON are read', async () => {
  for (const record of [
    { time_iso8601: '2025-05-14T06:10:34+00:00' },
    { time_local: '14/May/2025:06:10:34 +0000' },
  ]) {
    const { records } = await readAll(`${JSON.stringify({ ...record, status: 502 })}\n`);
    expect(records).toMatchObject([{ kind: 'log', log: { time: Date.UTC(2025, 4, 14, 6, 10, 34) } }]);
  }
});
