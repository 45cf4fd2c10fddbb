import { type NamedPattern, namedPattern } from './named-pattern.ts';
import { toTime } from './time.ts';

/** Named values of a line, as its format has them. */
type Members = Readonly<Record<string, string>>;

/** A format of text lines of another program. */
export interface TextFormat {
  /** Format of the part. */
  readonly name: TextFormatName;
  /** Source of its logs. */
  readonly source: string;
  /**
   * First line of a record. A group named like a field of a log is that field, any other is kept beside it. The time is a
   * group `time`, or composed of `year`, `month`, `day`, `clock` and, if it has one, `half` of the day and `zone`.
   */
  readonly pattern: NamedPattern;
  /** A line that does not fit the pattern belongs to the record before it, as of a stack trace. */
  readonly isMultiline?: boolean;
  /** Completes the members of a line. */
  readonly complete?: (members: Members) => Members;
}

/** Formats of text lines, besides prefixed lines and those with a heading. */
export type TextFormatName =
  | 'access log'
  | 'error log'
  | 'load balancer'
  | 'catalina'
  | 'karaf'
  | 'postgres'
  | 'klog'
  | 'logfmt'
  | 'logger';

const clock = String.raw`(?<clock>\d\d?:\d\d:\d\d(?:[.,]\d{1,9})?)`;
const isoTime = String.raw`(?<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?)`;
const level =
  '(?<level>SEVERE|WARNING|WARN|INFO|CONFIG|FINE|FINER|FINEST|VERBOSE|DEBUG|TRACE|ERROR|FATAL|CRITICAL|NOTICE|SCHWERWIEGEND|WARNUNG|INFORMATION|KONFIGURATION|FEIN|GRAVE|AVERTISSEMENT|INFOS|ADVERTENCIA|INFORMACI\u00d3N)';
const quoted = (name: string) => String.raw`"(?<${name}>(?:[^"\\]|\\.)*)"`;
const apacheTime = String.raw`(?<day>\d\d)/(?<month>[A-Z][a-z]{2})/(?<year>\d{4}):${clock}`;

const logfmtPair = String.raw`[A-Za-z_@][\w.@/:-]*=(?:"(?:[^"\\]|\\.)*"|[^\s"]*)`;
const logfmtPairs = /(?:^| )([A-Za-z_@][\w.@/:-]*)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))/gs;

/** Keys of logfmt that stand for those of a log. */
const logfmtKeys: ReadonlyMap<string, string> = new Map([['t', 'time']]);

/** Escapes of a quoted text (Go, strconv.Quote). */
const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

function unescaped(text: string): string {
  return text.replace(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_, code?: string, sign = '') =>
    code === undefined ? (escapes.get(sign) ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const patternOf = (source: string) => namedPattern(`^${source}$`, 's');

const withRequest = (members: Members): Members => ({
  ...members,
  msg: [members.request, members.status].filter((part) => part !== undefined).join(' '),
});

/** Levels of PostgreSQL (documentation, "Message Severity Levels") and its translations; LOG is information for administrators. */
const postgresLevels: ReadonlyMap<string, string> = new Map([
  ['DEBUG', 'DEBUG'],
  ['INFO', 'INFO'],
  ['NOTICE', 'INFO'],
  ['LOG', 'INFO'],
  ['WARNING', 'WARNING'],
  ['ERROR', 'SEVERE'],
  ['FATAL', 'SEVERE'],
  ['PANIC', 'SEVERE'],
  ['FEHLER', 'SEVERE'],
  ['SCHWERWIEGEND', 'SEVERE'],
  ['PANIK', 'SEVERE'],
  ['WARNUNG', 'WARNING'],
  ['HINWEIS', 'INFO'],
  ['ERREUR', 'SEVERE'],
  ['ATTENTION', 'WARNING'],
  ['AVERTISSEMENT', 'WARNING'],
  ['ADVERTENCIA', 'WARNING'],
]);

/** Labels of PostgreSQL for lines that complete the one before, in English, German, French and Spanish. */
const beyondLevels: ReadonlySet<string> = new Set([
  ...['DETAIL', 'HINT', 'QUERY', 'CONTEXT', 'STATEMENT', 'LOCATION', 'TIPP', 'ANFRAGE', 'ZUSAMMENHANG'],
  ...['ANWEISUNG', 'ORT', 'D\u00c9TAIL', 'ASTUCE', 'REQU\u00caTE', 'CONTEXTE', 'INSTRUCTION', 'EMPLACEMENT'],
  ...['DETALLE', 'SUGERENCIA', 'CONSULTA', 'CONTEXTO', 'SENTENCIA', 'UBICACI\u00d3N'],
]);

/** One of the labels; DEBUG has a number. */
const postgresLabel = [...postgresLevels.keys(), ...beyondLevels]
  .map((label) => (label === 'DEBUG' ? 'DEBUG[1-5]?' : label))
  .join('|');

/** The formats, the most specific first. Their sources are the documents of the programs. */
export const textFormats: readonly TextFormat[] = [
  {
    // httpd: LogFormat "common" and "combined", with a virtual host or not; nginx, Tomcat.
    name: 'access log',
    source: 'access log',
    pattern: patternOf(
      String.raw`(?:(?<vhost>[\w.-]+:\d+) )?(?<client>\S+) (?<ident>\S+) (?<user>"[^"]*"|\S+(?: \S+){0,7}?) \[${apacheTime} (?<zone>[+-]\d{4})\] ${quoted('request')} (?<status>\d{3}|-) (?<bytes>\d+|-)(?: ${quoted('referer')} ${quoted('agent')})?(?: (?<rest>.*))?`,
    ),
    complete: withRequest,
  },
  {
    // Envoy and Istio, default format of access logs. The duration is in milliseconds.
    name: 'access log',
    source: 'access log',
    pattern: patternOf(
      String.raw`\[${isoTime}\] ${quoted('request')} (?<status>\d{1,3}|-) (?<flags>\S+) (?:(?<details>\S+) (?<termination>\S+) ${quoted('failure')} )?(?<received>\d+) (?<sent>\d+) (?<duration>\d+|-) (?<upstream_time>\d+|-) ${quoted('forwarded')} ${quoted('agent')} ${quoted('request_id')} ${quoted('authority')} ${quoted('upstream')}(?: (?<rest>.*))?`,
    ),
    complete: (members) => {
      const taken = Number(members.duration ?? Number.NaN);
      return withRequest(Number.isNaN(taken) ? members : { ...members, elapsed: String(taken / 1_000) });
    },
  },
  {
    // AWS application load balancers.
    name: 'load balancer',
    source: 'load balancer',
    pattern: patternOf(
      String.raw`(?<scheme>https?|h2|grpcs|wss?) ${isoTime} (?<elb>\S+) (?<client>\S+) (?<target>\S+) (?<request_time>-?[\d.]+) (?<target_time>-?[\d.]+) (?<response_time>-?[\d.]+) (?<status>\d{3}|-) (?<target_status>\d{3}|-) (?<received>\d+) (?<sent>\d+) ${quoted('request')} ${quoted('agent')}(?: (?<rest>.*))?`,
    ),
    complete: withRequest,
  },
  {
    // AWS classic load balancers.
    name: 'load balancer',
    source: 'load balancer',
    pattern: patternOf(
      String.raw`${isoTime} (?<elb>\S+) (?<client>\S+:\d+) (?<target>\S+:\d+|-) (?<request_time>-?[\d.]+) (?<target_time>-?[\d.]+) (?<response_time>-?[\d.]+) (?<status>\d{3}|-) (?<target_status>\d{3}|-) (?<received>\d+) (?<sent>\d+) ${quoted('request')}(?: ${quoted('agent')})?(?: (?<rest>.*))?`,
    ),
    complete: withRequest,
  },
  {
    // HAProxy, "option httplog", behind the prefix of syslog or not. Times are in milliseconds.
    name: 'load balancer',
    source: 'load balancer',
    pattern: patternOf(
      String.raw`(?:.{1,120}haproxy\[(?<process>\d+)\]: )?(?<client>[\d.a-fA-F:]+:\d+) \[${apacheTime}\] (?<frontend>\S+) (?<backend>\S+)/(?<server>\S+) (?<timers>[-+\d]+(?:/[-+\d]+){4}) (?<status>-?\d+) (?<bytes>\+?\d+) \S+ \S+ \S+ (?<connections>\S+) (?<queues>\S+) (?:\{[^}]*\} )*${quoted('request')}`,
    ),
    complete: (members) => {
      const { timers = '', ...others } = members;
      const total = Number(timers.split('/').at(-1));
      return withRequest({ ...others, timers, ...(0 <= total && { elapsed: String(total / 1_000) }) });
    },
  },
  {
    // nginx, error_log.
    name: 'error log',
    source: 'error log',
    pattern: patternOf(
      String.raw`(?<year>\d{4})/(?<month>\d\d)/(?<day>\d\d) ${clock} \[(?<level>[a-z]+)\] (?<process>\d+)#(?<thread>\d+): (?<msg>.*)`,
    ),
    isMultiline: true,
  },
  {
    // httpd, ErrorLog.
    name: 'error log',
    source: 'error log',
    pattern: patternOf(
      String.raw`\[[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) ${clock} (?<year>\d{4})\] \[(?:(?<module>[\w-]*):)?(?<level>[a-z]+\d?)\](?: \[pid (?<process>\d+)(?::tid (?<thread>\d+))?\])?(?: \[client (?<client>[^\]]+)\])? (?<msg>.*)`,
    ),
    isMultiline: true,
  },
  {
    // Tomcat, OneLineFormatter.
    name: 'catalina',
    source: 'catalina',
    pattern: patternOf(
      String.raw`(?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d{4}) ${clock} ${level} \[(?<thread>[^\]]*)\] (?<className>[\w.$]+)\.(?<methodName>[\w$<>]+) (?<msg>.*)`,
    ),
    isMultiline: true,
  },
  {
    // java.util.logging, SimpleFormatter: the second line has the level.
    name: 'catalina',
    source: 'catalina',
    pattern: patternOf(
      String.raw`(?<month>[A-Z][a-z]{2}) (?<day>\d\d?), (?<year>\d{4}) ${clock}[ \u202f](?<half>AM|PM) (?<className>[\w.$]+) (?<methodName>[\w$<>]+)`,
    ),
    isMultiline: true,
    complete: (members) => {
      const [, own, msg] =
        new RegExp(`^\\s*${level.replace('?<level>', '')}: (.*)$`, 's').exec(members.more ?? '') ?? [];
      const { more: _, ...others } = members;
      return own === undefined ? members : { ...others, level: own, msg: msg ?? '' };
    },
  },
  {
    // Karaf and other users of Pax Logging: columns between bars.
    name: 'karaf',
    source: 'karaf',
    pattern: patternOf(
      String.raw`${isoTime} \| ${level} *\| (?<thread>[^|]*?) *\| (?<className>[^|]*?) *\|(?: (?<bundle>[^|]*?) *\|)? (?<msg>.*)`,
    ),
    isMultiline: true,
  },
  {
    // PostgreSQL, log_line_prefix "%m [%p] " with a user and a database or not.
    name: 'postgres',
    source: 'postgres',
    pattern: patternOf(
      String.raw`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?) (?<zone>[A-Z]{2,5}|[+-]\d\d(?::?\d\d)?)(?: |:)(?:\[(?<process>\d+)(?:-\d+)?\]:? ?)?(?:(?<user>[^\s@:]+)@(?<database>[^\s:]+) )?(?<rest>.*?)(?<level>${postgresLabel}): +(?<msg>.*)`,
    ),
    isMultiline: true,
    complete: ({ level: stated = '', ...members }) => {
      const [, duration] = /^duration: (\d+(?:\.\d+)?) ms/.exec(members.msg ?? '') ?? [];
      const elapsed = duration === undefined ? {} : { elapsed: String(Number(duration) / 1_000) };
      const own = postgresLevels.get(stated.replace(/\d$/, ''));
      return { ...members, ...elapsed, ...(own !== undefined && { level: own }), label: stated };
    },
  },
  {
    // Python, logging: the format of its tutorial.
    name: 'logger',
    source: 'logger',
    pattern: patternOf(String.raw`${isoTime} - (?<className>\S+) - ${level} - (?<msg>.*)`),
    isMultiline: true,
  },
  {
    // klog and glog: components of Kubernetes, programs in Go and C++. Mostly without a year, and so without a time.
    name: 'klog',
    source: 'klog',
    pattern: patternOf(
      String.raw`(?<level>[IWEF])(?<year>\d{4})?(?<month>\d\d)(?<day>\d\d) ${clock} +(?<thread>\d+) (?<file>[^\s:\]]+):(?<line>\d+)\] (?<msg>.*)`,
    ),
    isMultiline: true,
  },
  {
    // logfmt: programs in Go, such as Prometheus, Grafana, Loki, Traefik and whatever writes with logrus.
    name: 'logfmt',
    source: 'logfmt',
    pattern: patternOf(
      String.raw`(?=(?:.* )?(?:time|ts|t|level|lvl|msg|message)=)(?<pairs>${logfmtPair}(?: +${logfmtPair})+) *`,
    ),
    isMultiline: true,
    complete: ({ pairs = '', more, source = '', ...others }) => {
      const members: Record<string, string> = { source, ...others };
      for (const [, key = '', quoted, plain] of pairs.matchAll(logfmtPairs))
        members[logfmtKeys.get(key) ?? key] = quoted === undefined ? (plain ?? '') : unescaped(quoted);
      members.msg ??= members.message ?? members.err ?? members.error ?? '';
      if (more !== undefined) members.msg += `\n${more}`;
      return members;
    },
  },
  {
    // Log4j, Logback, Spring Boot and their like: a time, a level and a thread in either order, a logger, a text.
    name: 'logger',
    source: 'logger',
    pattern: patternOf(
      String.raw`\[?${isoTime}\]? +(?:\[(?<thread>[^\]]*)\] +)?\[?${level}\]? +(?:(?<process>\d+) --- (?:\[ *(?<application>[^\]]*)\] +(?=\[))?)?(?:\[ *(?<thread_>[^\]]*)\] +)?(?:(?<className>[A-Za-z_$][\w.$/[\]]*)(?: +-| *:) )?(?:- )?(?<msg>.*)`,
    ),
    isMultiline: true,
    complete: ({ thread_, ...members }) =>
      thread_ === undefined ? members : { ...members, thread: thread_.trim() },
  },
];

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (number: number | string) => String(number).trim().padStart(2, '0');

/** Zones that stand for no offset. */
const utcNames = /^(UTC|GMT|Z)$/;

/** Groups that are parts of a time. */
const timeParts: ReadonlySet<string> = new Set(['year', 'month', 'day', 'clock', 'half', 'zone', 'time']);

/** Gives members the time of the groups of a pattern; a zone that means no one offset stays beside it. */
function addTime(members: Record<string, string>, groups: Members): void {
  const { year, month = '', day = '', clock: time = '', half, zone, time: whole } = groups;
  if (year === undefined) {
    if (whole !== undefined) addZoned(members, whole.replace(/ (UTC|GMT)$/, 'Z'), zone);
    // Without a year it is no time.
    else if (time !== '') members.clock = `${month}-${day} ${time}`;
    return;
  }
  const number = /^\d/.test(month) ? Number(month) : months.indexOf(month) + 1;
  const at = time.indexOf(':');
  const hours = Number(time.slice(0, at));
  const hour = half === undefined ? hours : (hours % 12) + (half === 'PM' ? 12 : 0);
  addZoned(members, `${year}-${two(number)}-${two(day)}T${two(hour)}${time.slice(at)}`, zone);
}

function addZoned(members: Record<string, string>, time: string, zone: string | undefined): void {
  if (zone === undefined) members.time = time;
  else if (utcNames.test(zone)) members.time = `${time}Z`;
  else if (/^[+-]/.test(zone))
    members.time = `${time}${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  else if (toTime(`${time} ${zone}`) !== undefined) members.time = `${time} ${zone}`;
  else {
    members.time = time;
    members.zone = zone;
  }
}

/** Reads the text of a record, whose first line fits the pattern of its format. Values of "-" are none. */
export function readTextRecord({ pattern, source, complete }: TextFormat, text: string): Members | undefined {
  const end = text.indexOf('\n');
  const groups = pattern.read((end < 0 ? text : text.slice(0, end)).replace(/\r+$/, ''))?.groups;
  if (!groups) return undefined;
  const members: Record<string, string> = { source };
  for (const name of Object.keys(groups)) {
    const value = groups[name];
    if (value && value !== '-' && name !== 'msg' && !timeParts.has(name)) members[name] = value;
  }
  const { msg } = groups;
  const more = end < 0 ? undefined : text.slice(end + 1);
  if (msg && msg !== '-') members.msg = more === undefined ? msg : `${msg}\n${more}`;
  else if (more !== undefined) members.more = more;
  const completed = { ...(complete?.(members) ?? members) };
  addTime(completed, groups);
  return completed;
}

/** Starts of lines with a time, in the layouts of formats whose records have several lines. */
const timedStarts: readonly NamedPattern[] = [
  isoTime,
  String.raw`(?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d{4}) ${clock}`,
].map((time) =>
  patternOf(
    String.raw`\[?${time}\]?(?: +\[(?<thread>[^\]]*)\])?(?:[ |[]+(?<level>[A-Z][A-Z\d_]{1,15})(?=[ \]|:]))?[ \]|:]+(?<msg>.*)`,
  ),
);

/**
 * Reads a line that begins with a time but fits no format, amid those of a format: a record of its own, as of a
 * level that a program made up, and no more text of the one before.
 */
export function readTimedLine(line: string, source: string): Members | undefined {
  for (const pattern of timedStarts) {
    const members = readTextRecord({ name: 'logger', source, pattern }, line);
    if (members) return members;
  }
  return undefined;
}

/** Reads a text of several lines whose first one fits one of the formats; undefined if it fits none. */
export function readKnownText(text: string): Members | undefined {
  const [first = ''] = text.includes('\n') ? text.split('\n', 1) : [text];
  const format = textFormats.find(({ pattern }) => pattern.test(first));
  return format && readTextRecord(format, text);
}
