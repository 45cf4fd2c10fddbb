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
  readonly pattern: RegExp;
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
  | 'logger';

const clock = String.raw`(?<clock>\d\d?:\d\d:\d\d(?:[.,]\d{1,9})?)`;
const isoTime = String.raw`(?<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?)`;
const level =
  '(?<level>SEVERE|WARNING|WARN|INFO|CONFIG|FINE|FINER|FINEST|VERBOSE|DEBUG|TRACE|ERROR|FATAL|CRITICAL|NOTICE)';
const quoted = (name: string) => String.raw`"(?<${name}>(?:[^"\\]|\\.)*)"`;
const apacheTime = String.raw`(?<day>\d\d)/(?<month>[A-Z][a-z]{2})/(?<year>\d{4}):${clock}`;

const patternOf = (source: string) => new RegExp(`^${source}$`, 's');

const withRequest = (members: Members): Members => ({
  ...members,
  msg: [members.request, members.status].filter((part) => part !== undefined).join(' '),
});

/** The formats, the most specific first. Their sources are the documents of the programs. */
export const textFormats: readonly TextFormat[] = [
  {
    // httpd: LogFormat "common" and "combined", with a virtual host or not; nginx, Tomcat.
    name: 'access log',
    source: 'access log',
    pattern: patternOf(
      String.raw`(?:(?<vhost>[\w.-]+:\d+) )?(?<client>\S+) (?<ident>\S+) (?<user>"[^"]*"|\S+) \[${apacheTime} (?<zone>[+-]\d{4})\] ${quoted('request')} (?<status>\d{3}|-) (?<bytes>\d+|-)(?: ${quoted('referer')} ${quoted('agent')})?(?: (?<rest>.*))?`,
    ),
    complete: withRequest,
  },
  {
    // AWS application load balancers.
    name: 'load balancer',
    source: 'load balancer',
    pattern: patternOf(
      String.raw`(?<type_>https?|h2|grpcs|wss?) ${isoTime} (?<elb>\S+) (?<client>\S+) (?<target>\S+) (?<request_time>-?[\d.]+) (?<target_time>-?[\d.]+) (?<response_time>-?[\d.]+) (?<status>\d{3}|-) (?<target_status>\d{3}|-) (?<received>\d+) (?<sent>\d+) ${quoted('request')} ${quoted('agent')}(?: (?<rest>.*))?`,
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
      String.raw`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?) (?<zone>[A-Z]{2,5}|[+-]\d\d(?::?\d\d)?)(?: |:)(?:\[(?<process>\d+)(?:-\d+)?\]:? ?)?(?:(?<user>[^\s@:]+)@(?<database>[^\s:]+) )?(?<rest>.*?)(?<level>DEBUG[1-5]?|INFO|NOTICE|WARNING|ERROR|LOG|FATAL|PANIC|DETAIL|HINT|QUERY|CONTEXT|STATEMENT|LOCATION): +(?<msg>.*)`,
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
    // Log4j, Logback, Spring Boot and their like: a time, a level and a thread in either order, a logger, a text.
    name: 'logger',
    source: 'logger',
    pattern: patternOf(
      String.raw`\[?${isoTime}\]? +(?:\[(?<thread>[^\]]*)\] +)?\[?${level}\]? +(?:(?<process>\d+) --- )?(?:\[ *(?<thread_>[^\]]*)\] +)?(?:(?<className>[A-Za-z_$][\w.$/[\]]*)(?: +-| *:) )?(?:- )?(?<msg>.*)`,
    ),
    isMultiline: true,
    complete: ({ thread_, ...members }) =>
      thread_ === undefined ? members : { ...members, thread: thread_.trim() },
  },
];

/** Levels of PostgreSQL (documentation, "Message Severity Levels"); LOG is information for administrators. */
const postgresLevels: ReadonlyMap<string, string> = new Map([
  ['DEBUG', 'DEBUG'],
  ['INFO', 'INFO'],
  ['NOTICE', 'INFO'],
  ['LOG', 'INFO'],
  ['WARNING', 'WARNING'],
  ['ERROR', 'SEVERE'],
  ['FATAL', 'SEVERE'],
  ['PANIC', 'SEVERE'],
]);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (number: number | string) => String(number).trim().padStart(2, '0');

/** Zones that stand for no offset. */
const utcNames = /^(UTC|GMT|Z)$/;

/** Composes the time of a record from the groups of its pattern; a zone other than an offset or UTC stays beside it. */
function withTime(members: Members): Members {
  const { year, month = '', day, clock: time, half, zone, ...others } = members;
  if (year === undefined || day === undefined || time === undefined)
    return others.time === undefined
      ? members
      : { ...others, ...zoned(others.time.replace(/ (UTC|GMT)$/, 'Z'), zone) };
  const number = /^\d/.test(month) ? Number(month) : months.indexOf(month) + 1;
  const [hours = '', ...rest] = time.split(':');
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'PM' ? 12 : 0);
  return {
    ...others,
    ...zoned(`${year}-${two(number)}-${two(day)}T${[two(hour), ...rest].join(':')}`, zone),
  };
}

function zoned(time: string, zone: string | undefined): Members {
  if (zone === undefined) return { time };
  if (utcNames.test(zone)) return { time: `${time}Z` };
  if (!/^[+-]/.test(zone)) return { time, zone };
  return { time: `${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').replace(/^([+-]\d\d)$/, '$1:00')}` };
}

/** Reads the text of a record, whose first line fits the pattern of its format. Values of "-" are none. */
export function readTextRecord({ pattern, source, complete }: TextFormat, text: string): Members | undefined {
  const end = text.indexOf('\n');
  const first = (end < 0 ? text : text.slice(0, end)).replace(/\r+$/, '');
  const { groups } = pattern.exec(first) ?? {};
  if (!groups) return undefined;
  const found = Object.entries(groups).filter(
    (member): member is [string, string] => member[1] !== undefined && member[1] !== '-' && member[1] !== '',
  );
  const { msg, ...members } = { source, ...Object.fromEntries(found) } as Members;
  const more = end < 0 ? undefined : text.slice(end + 1);
  const message =
    msg === undefined
      ? more !== undefined && { more }
      : { msg: more === undefined ? msg : `${msg}\n${more}` };
  const all = { ...members, ...message };
  return withTime(complete?.(all) ?? all);
}
