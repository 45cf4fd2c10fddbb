import * as v from 'valibot';
import { optional } from '../lenient.ts';

/** Path of the log settings below `{root}`, as their public documentation has it; an edit is at `/edit` below it. */
export const logSettingsPath = '/logs/settings';

/** Days that a deployment can keep its logs for (public documentation of the settings; since 11.2). */
export const logAgeDays = { least: 1, most: 999, usual: 60 } as const;

/** Log settings of a deployment: its level, and how long it keeps logs. */
export interface LogSettings {
  /** Logs at this level or more severe are written. Open: a deployment may know others than `logLevels`. */
  readonly logLevel: string;
  /** Days until a log is deleted; absent before version 11.2. */
  readonly maxLogAgeDays?: number | undefined;
  /** Time of the latest edit, milliseconds since the epoch. */
  readonly lastModified?: number | undefined;
  /** Members of later versions, such as a number of error reports: an edit sends them back as they came. */
  readonly others: Readonly<Record<string, string | number | boolean>>;
}

const settings = v.looseObject({
  logLevel: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  maxLogAgeDays: optional.number,
  lastModified: optional.number,
});

const wrapped = v.pipe(
  v.object({ settings }),
  v.transform(({ settings }) => settings),
);

/** The log settings in a body, also below a member `settings`; undefined where the body is something else. */
export function logSettingsOf(body: unknown): LogSettings | undefined {
  const result = v.safeParse(v.union([settings, wrapped]), body);
  if (!result.success) return undefined;
  const { logLevel, maxLogAgeDays, lastModified, ...rest } = result.output;
  return {
    logLevel,
    ...(maxLogAgeDays !== undefined && { maxLogAgeDays }),
    ...(lastModified !== undefined && { lastModified }),
    others: Object.fromEntries(Object.entries(rest).flatMap(scalarEntry)),
  };
}

function scalarEntry([name, value]: readonly [string, unknown]): [string, string | number | boolean][] {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? [[name, value]]
    : [];
}

/** The form of an edit, without the token: both settings are required, so what stays is sent as it is. */
export function toLogSettingsForm({ logLevel, maxLogAgeDays, others }: LogSettings): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(others)) form.set(name, String(value));
  form.set('logLevel', logLevel);
  if (maxLogAgeDays !== undefined) form.set('maxLogAgeDays', String(maxLogAgeDays));
  form.set('f', 'json');
  return form;
}
