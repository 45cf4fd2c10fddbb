import { logLevels } from '../../language/index.ts';
import { introducedIn, isVersionSince, logAgeDays, logSettingsPath } from '../../protocol/index.ts';
import { logSettingsEditedLog } from '../activity/administration-logs.ts';
import { currentLogLevel } from '../site/log-level.ts';
import { type Answer, type CheckedRequest, type Operation, refuseWith } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import { releaseAt } from '../upgrade/progress.ts';

/** The log settings, in the shape of their public documentation. */
export function logSettingsOperation(site: Site): Operation {
  return {
    name: 'logSettings',
    title: 'Log settings',
    path: site.root + logSettingsPath,
    methods: ['GET', 'POST'],
    privilege: 'exportLogs',
    since: introducedIn.logSettings,
    fields: [],
    run: () => ({ kind: 'body', body: settingsBody(site) }),
  };
}

/** Edits the log settings. No log is deleted by age: the sample logs are old. */
export function editLogSettingsOperation(site: Site): Operation {
  return {
    name: 'editLogSettings',
    title: 'Edit log settings',
    path: `${site.root}${logSettingsPath}/edit`,
    methods: ['POST'],
    privilege: 'manageLogs',
    since: introducedIn.logSettings,
    closed: 'in read-only mode',
    fields: [
      { name: 'logLevel', choices: logLevels },
      { name: 'maxLogAgeDays', value: String(logAgeDays.usual) },
    ],
    run: (call) => edit(site, call),
  };
}

function settingsBody(site: Site): object {
  const { logSettings: edited } = site.state.read();
  return {
    logLevel: currentLogLevel(site),
    ...(knowsRetention(site) && { maxLogAgeDays: edited?.maxLogAgeDays ?? logAgeDays.usual }),
    ...(edited && { lastModified: edited.lastModified }),
  };
}

function knowsRetention(site: Site): boolean {
  return isVersionSince(releaseAt(site.state.read(), site.now()).version, introducedIn.logRetention);
}

async function edit(site: Site, { form, user, requestID }: CheckedRequest): Promise<Answer> {
  const logLevel = form.get('logLevel')?.trim() ?? '';
  const maxLogAgeDays = daysOf(form.get('maxLogAgeDays')?.trim() ?? '', site);
  const problems = [
    ...(logLevels.some((level) => level === logLevel) ? [] : [levelRule]),
    ...(maxLogAgeDays === undefined ? [ageRule] : []),
  ];
  if (maxLogAgeDays === undefined || 0 < problems.length) {
    return refuseWith(400, 'Invalid parameters.', ...problems);
  }
  const lastModified = site.now();
  await site.state.change((state) => ({ ...state, logSettings: { logLevel, maxLogAgeDays, lastModified } }));
  const username = user?.username ?? '';
  site.record(logSettingsEditedLog(lastModified, { id: logLevel, requestID, username }));
  return { kind: 'body', body: { status: 'success' } };
}

const levelRule = `"logLevel" requires one of ${logLevels.map((level) => `"${level}"`).join(', ')}`;
const ageRule = `"maxLogAgeDays" requires a whole number from ${logAgeDays.least} to ${logAgeDays.most}`;

/** The days in a text; the usual ones before the version with retention. Undefined for an invalid text. */
function daysOf(text: string, site: Site): number | undefined {
  if (!knowsRetention(site)) return logAgeDays.usual;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return logAgeDays.least <= days && days <= logAgeDays.most ? days : undefined;
}
