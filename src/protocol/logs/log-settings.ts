import * as v from 'valibot';
import { optionalMember } from '../lenient.ts';

/** Path of the log settings below `{root}` (public documentation); an edit is at `/edit` below it. */
export const logSettingsPath = '/logs/settings';

/** Days until a log is deleted (public documentation of the settings; since 11.2). */
export const logAgeDays = { least: 1, most: 999, usual: 60 } as const;

/** Log settings of a deployment: its level, and the age at which logs are deleted. */
export interface LogSettings {
  /** Logs at this level or more severe are written. Open: a deployment may know others than `logLevels`. */
  readonly logLevel: string;
  /** Days until a log is deleted; absent before version 11.2. */
  readonly maxLogAgeDays?: number | undefined;
  /** Time of the latest edit, milliseconds since the epoch. */
  readonly lastModified?: number | undefined;
  /** Members of later versions, such as a number of error reports: an edit sends them back unchanged. */
  readonly others: Readonly<Record<string, string | number | boolean>>;
}

const settings = v.looseObject({
  logLevel: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  maxLogAgeDays: optionalMember.number,
  lastModified: optionalMember.number,
});

const wrapped = v.pipe(
  v.object({ settings }),
  v.transform(({ settings }) => settings),
);

/**
 * Reads the log settings in a body, also below a member `settings`; undefined if the body is something else.
 */
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

/**
 * Writes the form of an edit, without the token. Both settings are required, so an unchanged one is sent too.
 */
export function toLogSettingsForm({ logLevel, maxLogAgeDays, others }: LogSettings): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(others)) form.set(name, String(value));
  form.set('logLevel', logLevel);
  if (maxLogAgeDays !== undefined) form.set('maxLogAgeDays', String(maxLogAgeDays));
  form.set('f', 'json');
  return form;
}
