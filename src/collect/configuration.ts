import { dirname, resolve } from 'node:path';
import * as v from 'valibot';
import { checkQuery, hasErrors } from '../language/index.ts';
import { deploymentLogLevels, maxLogs } from '../protocol/index.ts';
import { day, type PeriodKind, periodKinds } from './periods.ts';

/** What is collected from one deployment, and how. Times are milliseconds. */
export interface SourceConfiguration {
  /** The name of the source, with which the names of its cases begin. */
  readonly name: string;
  /** Options of the connection to the deployment, with absolute paths. */
  readonly connection: ConnectionSettings;
  /** Which logs: absent filters exclude nothing. */
  readonly filters: {
    readonly search?: string | undefined;
    readonly level?: string | undefined;
    readonly codes?: readonly number[] | undefined;
    readonly users?: string | undefined;
    readonly source?: string | undefined;
  };
  /** From the beginning of one turn to that of the next. */
  readonly interval: number;
  /** Least age of a time that is asked for: logs of the last moments may not be there yet. */
  readonly settle: number;
  /** Least time before what is covered that each turn asks for again. */
  readonly overlap: number;
  /** Time before the first start from which it asks, in milliseconds; undefined for all that the deployment keeps. */
  readonly backfill: number | undefined;
  /** Maximum number of logs that one call asks for. */
  readonly cap: number;
  /** Maximum number of requests a second. */
  readonly maxRate: number | undefined;
  readonly period: PeriodKind;
}

/** Settings of a connection, named like the options of the command line. */
export interface ConnectionSettings {
  readonly profile?: string | undefined;
  readonly url?: string | undefined;
  readonly user?: string | undefined;
  readonly passwordFile?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly tokenCommand?: string | undefined;
  readonly referer?: string | undefined;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly keyPasswordFile?: string | undefined;
  readonly proxy?: string | undefined;
}

/** What a collector does. */
export interface CollectConfiguration {
  /** Absolute path of the folder of cases. */
  readonly store: string;
  readonly sources: readonly SourceConfiguration[];
  /** Limits beyond which cases are deleted: an `age` in milliseconds, and the `bytes` of all, the oldest first. */
  readonly retention: { readonly age: number | undefined; readonly bytes: number | undefined };
  /** Bytes that stay free on the disk of the store. */
  readonly minimumFree: number;
  /** Address at which the state is served over HTTP; undefined for none. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
}

const unitLengths = { s: 1000, m: 60_000, h: 3_600_000, d: day, w: 7 * day } as const;

function duration(minimum: string) {
  const min = readDuration(minimum) ?? 0;
  const message = `must be a duration from ${minimum}, such as 90s, 30m, 2h, 7d or 1w`;
  return v.pipe(v.string(message), v.transform(readDuration), v.number(message), v.minValue(min, message));
}

/** Milliseconds of a text such as `90s`; undefined for any other text. */
function readDuration(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const [, length] = Object.entries(unitLengths).find(([name]) => name === unit) ?? [];
  return length === undefined ? undefined : Number(digits) * length;
}

const byteUnits = { kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 } as const;

const bytesMessage = 'must be a number of bytes such as 500MB, 50GB or 1.5TB';

const bytes = v.pipe(
  v.string(bytesMessage),
  v.transform((text) => {
    const [, digits, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(kB|MB|GB|TB)$/.exec(text) ?? [];
    const [, size] = Object.entries(byteUnits).find(([name]) => name === unit) ?? [];
    return size === undefined ? undefined : Number(digits) * size;
  }),
  v.number(bytesMessage),
);

const rateMessage = 'must be a rate above 0 such as "5" (per second) or "30/m" (per minute)';

const rate = v.pipe(
  v.string(rateMessage),
  v.transform((text) => {
    const [, digits, minutes] = /^(\d{1,6})(\/m|\/s)?$/.exec(text) ?? [];
    return digits === undefined ? undefined : Number(digits) / (minutes === '/m' ? 60 : 1);
  }),
  v.number(rateMessage),
  v.gtValue(0, rateMessage),
);

const capMessage = `must be a whole number from 1 to ${maxLogs}`;

const cap = v.pipe(
  v.number(capMessage),
  v.integer(capMessage),
  v.minValue(1, capMessage),
  v.maxValue(maxLogs, capMessage),
);

const text = v.pipe(v.string('must be a text'), v.nonEmpty('must not be empty'));
const maybe = v.optional;

const levels = deploymentLogLevels.join(', ');

const query = v.pipe(
  text,
  v.check(
    (search) => !hasErrors(checkQuery(search).findings),
    'is a query that the deployment refuses: "logquarry check QUERY" says why',
  ),
);

const connection = {
  profile: maybe(text),
  url: maybe(text),
  user: maybe(text),
  passwordFile: maybe(text),
  tokenFile: maybe(text),
  tokenCommand: maybe(text),
  referer: maybe(text),
  ca: maybe(text),
  cert: maybe(text),
  key: maybe(text),
  keyPasswordFile: maybe(text),
  proxy: maybe(text),
};

const source = v.pipe(
  v.strictObject(
    {
      ...connection,
      search: maybe(query),
      level: maybe(v.picklist(deploymentLogLevels, `must be one of ${levels}`)),
      codes: maybe(v.array(v.pipe(v.number('must be a number'), v.integer('must be a whole number')))),
      users: maybe(text),
      source: maybe(text),
      interval: maybe(duration('1s'), '5m'),
      settle: maybe(duration('5s'), '1m'),
      overlap: maybe(duration('0s'), '10m'),
      backfill: maybe(duration('0s')),
      cap: maybe(cap, maxLogs),
      maxRate: maybe(rate),
      period: maybe(v.picklist(periodKinds, `must be one of ${periodKinds.join(', ')}`), 'day'),
    },
    unknownKey,
  ),
  v.check(
    ({ profile, url }) => profile !== undefined || url !== undefined,
    'must name how the deployment is reached: "profile", or "url" with "user" and "passwordFile"',
  ),
);

const name = v.pipe(
  v.string(),
  v.regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be a name of at most 64 letters, digits, ".", "_" and "-" that begins with a letter or a digit',
  ),
);

const listenMessage = 'must be a port, or a host with a port such as "127.0.0.1:9642"';

const listen = v.pipe(
  v.string(listenMessage),
  v.transform((address) => {
    const [, bracketed, host = bracketed ?? '127.0.0.1', port] =
      /^(?:(?:\[([0-9A-Fa-f:.]+)\]|([^\s:[\]]+)):)?(\d{1,5})$/.exec(address) ?? [];
    return Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
  }),
  v.object({ host: v.string(), port: v.number() }, listenMessage),
);

const file = v.strictObject(
  {
    store: text,
    sources: v.pipe(
      v.record(name, source, 'must be an object with one key a source'),
      v.check((sources) => Object.keys(sources).length > 0, 'must have at least one source'),
    ),
    retention: maybe(v.strictObject({ age: maybe(duration('1d')), bytes: maybe(bytes) }, unknownKey), {}),
    minimumFree: maybe(bytes, '1GB'),
    listen: maybe(listen),
  },
  unknownKey,
);

function unknownKey({ expected }: v.BaseIssue<unknown>): string {
  return expected === 'never' ? 'no such key' : expected === 'Object' ? 'must be an object' : 'is required';
}

/** A configuration, or each problem with its text: the path of the key, and what was expected. */
export type ReadConfiguration =
  | { readonly configuration: CollectConfiguration }
  | { readonly problems: readonly string[] };

/**
 * Reads a configuration from the JSON text of a file. Paths in it are relative to its folder.
 */
export function readCollectConfiguration(json: string, path: string): ReadConfiguration {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { problems: [`It is no JSON: ${error instanceof Error ? error.message : String(error)}`] };
  }
  const parsed = v.safeParse(file, value);
  if (!parsed.success) return { problems: parsed.issues.map(toProblem) };
  const { store, sources, retention, minimumFree, listen } = parsed.output;
  const folder = dirname(resolve(path));
  return {
    configuration: {
      store: resolve(folder, store),
      sources: Object.entries(sources).map(([name, settings]) => toSource(name, settings, folder)),
      retention: { age: retention.age, bytes: retention.bytes },
      minimumFree,
      listen,
    },
  };
}

function toProblem(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  // What was written, not what a step before made of it.
  const input = issue.path?.at(-1)?.value;
  const isShown = typeof input === 'string' || typeof input === 'number';
  const found = isShown && issue.expected !== 'never' ? `, got ${JSON.stringify(input)}` : '';
  return `${path ?? 'the file'}: ${issue.message}${found}`;
}

function toSource(
  name: string,
  {
    search,
    level,
    codes,
    users,
    source: of,
    interval,
    settle,
    overlap,
    backfill,
    cap,
    maxRate,
    period,
    ...reached
  }: v.InferOutput<typeof source>,
  folder: string,
): SourceConfiguration {
  const inFolder = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path));
  const { profile, passwordFile, tokenFile, ca, cert, key, keyPasswordFile } = reached;
  return {
    name,
    connection: {
      ...reached,
      // A name of a saved profile has neither a folder nor an ending.
      profile: profile !== undefined && /[./\\]/.test(profile) ? resolve(folder, profile) : profile,
      passwordFile: inFolder(passwordFile),
      tokenFile: inFolder(tokenFile),
      ca: inFolder(ca),
      cert: inFolder(cert),
      key: inFolder(key),
      keyPasswordFile: inFolder(keyPasswordFile),
    },
    filters: { search, level, codes, users, source: of },
    interval,
    settle,
    overlap,
    backfill,
    cap,
    maxRate,
    period,
  };
}
