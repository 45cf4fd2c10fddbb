import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { LaterActions, Verification } from '../../case/index.ts';
import { openNetwork, requestTimeStamp } from '../../client/index.ts';
import type { ClusterVerification } from '../../cluster/index.ts';
import { packageVersion } from '../../database/index.ts';
import type { SealOptions, SealProblem, SealStatement } from '../../seal/index.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { readTextFile } from '../command-line/files.ts';
import type { OptionValues } from '../command-line/option.ts';
import { readProxyRules } from '../deployment/connection.ts';
import { checkFileMode } from '../deployment/profile.ts';
import type { sealingOptions } from '../specs/case-specs.ts';
import { formatCount } from '../terminal/progress.ts';
import type { OutputStyle, Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe } from '../terminal/text.ts';
import { formatTime } from '../terminal/time-format.ts';

/** Reads the key and the certificates before any other work. Rejects with a `UsageError`. */
export async function readSealOptions(
  options: OptionValues<typeof sealingOptions>,
  terminal: Terminal,
): Promise<SealOptions> {
  const { key, timeStamp, ca } = options;
  if (timeStamp !== undefined && !isAddress(timeStamp))
    throw new UsageError(
      '--time-stamp must be an address such as https://HOST/…, without a user or a password',
    );
  const authorities = ca === undefined ? undefined : await readTextFile(ca, '--ca');
  const pem = key === undefined ? undefined : await readTextFile(key, '--key');
  if (key !== undefined) checkFileMode('The key', key, (await stat(key)).mode);
  return {
    key: pem,
    ...(timeStamp !== undefined && {
      requestTimeStamp: async (request) => {
        const proxy = readProxyRules(options.proxy, (name) => terminal.environment[name] || undefined);
        await using network = openNetwork({ proxy, ...(authorities !== undefined && { authorities }) });
        const { send } = network;
        return await requestTimeStamp({ url: timeStamp, request, send, signal: terminal.interruption() });
      },
    }),
  };
}

/** True for an HTTP address without credentials. Messages do not quote others: they may hold a password. */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** The sealed counts of a case. */
type CaseCounts = Pick<SealStatement, 'head' | 'actions' | 'files' | 'parts' | 'logs' | 'unreadable'>;

/** Creates the statement of a new seal. `path` is the path of the case. */
export function makeStatement(path: string, counts: CaseCounts, manifest?: string): SealStatement {
  const { head, actions, files, parts, logs, unreadable } = counts;
  return {
    of: manifest === undefined ? 'case' : 'hand-over',
    case: basename(path),
    ...(head !== undefined && { head, actions }),
    files,
    parts,
    logs,
    unreadable,
    ...(manifest !== undefined && { manifest }),
    made: new Date().toISOString(),
    tool: toolName,
  };
}

/** Name and version of this program. */
export const toolName = `logquarry ${packageVersion}`;

const counted = ['files', 'parts', 'logs', 'unreadable'] as const;

/**
 * Compares the statement of a seal with a case. The action with the sealed hash must have the sealed number, the
 * case had the sealed counts then, and nothing later took away or changed what there was.
 */
export function checkStatement(
  statement: SealStatement,
  sealed: LaterActions | undefined,
): readonly SealProblem[] {
  if (!sealed) return [problem('The case holds no action with the sealed hash')];
  if (sealed.number !== statement.actions)
    return [
      problem(`The sealed hash belongs to action ${sealed.number}, and the seal says ${statement.actions}`),
    ];
  const miscounted = counted
    .filter((name) => sealed[name] !== statement[name])
    .map((name) => `The case had ${sealed[name]} ${labels[name]} then, and the seal says ${statement[name]}`);
  return [...miscounted, ...sealed.problems].map(problem);
}

/** Formats what was done after an action whose hash is kept elsewhere: always all of it, by kind. */
export function laterLines({ number, later, changes }: LaterActions): readonly string[] {
  const total = later.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return [`Action ${number} is the last one: nothing follows what was sealed.`];
  return [
    `${formatCount(total, 'action')} after action ${number}, which its hash does not cover:`,
    ...later.map(({ action, count, first, last, from, to }) => {
      const numbers = count === 1 ? `action ${first}` : `${count} actions from ${first} to ${last}`;
      const times = from === to ? formatTime(from) : `${formatTime(from)} to ${formatTime(to)}`;
      return `  ${escapeUnsafe(action)}: ${numbers}, ${times} (UTC)`;
    }),
    ...changes.map((change) => `  ${escapeUnsafe(change)}`),
  ];
}

const labels = {
  files: 'originals',
  parts: 'parts',
  logs: 'logs',
  unreadable: 'unreadable records',
} as const;

function problem(message: string): SealProblem {
  return { code: 'SEALED_OTHERWISE', message };
}

/** Formats the result of verifying a case: a line for each deviation, the counts, the last hash. */
export function verificationLines(checked: Verification, face: OutputStyle): string[] {
  const { actions, head, exportedOnly: only } = checked;
  return [
    ...resultLines(checked, `${countsOf(checked)}, ${formatCount(actions, 'action')}`, face),
    ...(only === undefined ? [] : [`As to the exports, ${escapeUnsafe(only)}.`]),
    ...(head === undefined ? [] : [`Last hash: ${head}`]),
  ];
}

/** Formats the result of verifying a cluster: a line for each deviation, and the counts. */
export function clusterVerificationLines(checked: ClusterVerification, face: OutputStyle): string[] {
  return resultLines(checked, countsOf(checked), face);
}

type Counts = Pick<Verification, 'files' | 'parts' | 'logs' | 'unreadable'>;

function countsOf({ files, parts, logs, unreadable }: Counts): string {
  return `${formatCount(files, 'original')}, ${formatCount(parts, 'part')}, ${formatCount(logs, 'log')}, ${formatCount(unreadable, 'unreadable record')}`;
}

function resultLines(
  { deviations, remarks }: Pick<Verification, 'deviations' | 'remarks'>,
  counts: string,
  { style }: OutputStyle,
): string[] {
  return [
    ...deviations.map(({ code, message }) => `${style.red(code)}  ${escapeUnsafe(message)}`),
    deviations.length === 0
      ? `${style.green('Intact')}: ${counts}.`
      : `${formatCount(deviations.length, 'deviation')} in ${counts}.`,
    ...remarks.map((remark) => escapeUnsafe(remark)),
  ];
}
