import { editLogSettings, openClient, readLogSettings } from '../../client/index.ts';
import { logLevels } from '../../language/index.ts';
import type { LogSettings, TemplateChange } from '../../protocol/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readConnection } from '../deployment/connection.ts';
import { sendChange } from '../deployment/send-change.ts';
import { requireConfirmation } from '../input/require-confirmation.ts';
import { changesText } from '../output/administration-text.ts';
import { formatTimeToSecond, memberLines } from '../output/member-lines.ts';
import type { logsSettingsSpec } from '../specs/deployment-logs.ts';
import { toJson } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Options = CommandCall<typeof logsSettingsSpec>['options'];

/** Shows or changes the log settings. */
export const logsSettingsCommand: RunCommand<typeof logsSettingsSpec> = async ({ options, terminal }) => {
  const level = levelOf(options.level);
  const signal = terminal.interruption();
  await using client = openClient(await readConnection(options, terminal));
  const before = await readLogSettings(client, { signal });
  if (level === undefined && options.maxAge === undefined) {
    await terminal.print(settingsText(before, options.json));
    return exitCodes.done;
  }
  const after = withChanges(before, { level, maxAge: options.maxAge });
  const changes = changesOf(before, after);
  await terminal.print(options.json ? `${toJson(changes, 2)}\n` : changesText(changes, terminal.data));
  if (changes.length === 0) return exitCodes.done;
  warnOfDeletion(before, after, terminal);
  if (options.dryRun) return nothingSent(terminal, exitCodes.done);
  if (!(await isWanted(options, terminal))) return nothingSent(terminal, exitCodes.no);
  const doubt = () =>
    'The edit may have been made, if the request was already sent: check with "logquarry logs settings".';
  await sendChange(() => editLogSettings(client, after, { signal }), { terminal, doubt });
  terminal.say('The log settings were changed.');
  return exitCodes.done;
};

function isWanted({ yes }: Options, terminal: Terminal): Promise<boolean> {
  return requireConfirmation(terminal, { yes, question: 'Send it?' });
}

function nothingSent<C>(terminal: Terminal, code: C): C {
  terminal.say('Nothing was sent.');
  return code;
}

/** `OFF` is a level of older relatives of the deployment (field notes); the deployment decides about it. */
const levels: readonly string[] = [...logLevels, 'OFF'];

function levelOf(written: string | undefined): string | undefined {
  const level = written?.toUpperCase();
  if (level === undefined || levels.includes(level)) return level;
  throw new UsageError(`--level must be one of ${levels.join(', ')}, got "${written}"`);
}

function withChanges(
  before: LogSettings,
  {
    level = before.logLevel,
    maxAge,
  }: { readonly level: string | undefined; readonly maxAge: number | undefined },
): LogSettings {
  if (maxAge === undefined) return { ...before, logLevel: level };
  if (before.maxLogAgeDays === undefined) {
    throw new UsageError(
      'The deployment has no setting for --max-age, which requires version 11.2: leave the option out',
    );
  }
  return { ...before, logLevel: level, maxLogAgeDays: maxAge };
}

function changesOf(before: LogSettings, after: LogSettings): readonly TemplateChange[] {
  return (['logLevel', 'maxLogAgeDays'] as const)
    .filter((name) => before[name] !== after[name])
    .map((name) => ({
      path: name,
      kind: 'changed',
      before: before[name],
      after: after[name],
      editable: true,
    }));
}

function warnOfDeletion(before: LogSettings, after: LogSettings, { say, talk }: Terminal): void {
  const [days, fewer] = [before.maxLogAgeDays ?? 0, after.maxLogAgeDays ?? 0];
  if (days <= fewer) return;
  const about = `The deployment will delete logs older than ${fewer} days, and they cannot be recovered`;
  say(`${talk.style.yellow('warning')}: ${about}. Save them first with "logquarry export".`);
}

function settingsText({ others, ...known }: LogSettings, isJson: boolean): string {
  const members = { ...known, ...others };
  if (isJson) return `${toJson(members, 2)}\n`;
  const { logLevel, maxLogAgeDays, lastModified } = known;
  return memberLines([
    ['level', logLevel],
    ['kept for', maxLogAgeDays === undefined ? undefined : `${maxLogAgeDays} days`],
    ['changed', lastModified === undefined ? undefined : `${formatTimeToSecond(lastModified)} UTC`],
    ...Object.entries(others),
  ]);
}
