import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { rootCertificates } from 'node:tls';
import { type AnyLogSource, expandFuzzy, isCase, streamLogs } from '../../analysis/index.ts';
import { findActions, openCase, type Verification, verifyCase } from '../../case/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import type { Filter } from '../../language/index.ts';
import {
  checkSeal,
  readCertificates,
  readSeal,
  type SealCheck,
  type SealCheckOptions,
} from '../../seal/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import { readTextFile } from '../command-line/files.ts';
import { filtersOf, handOverFiles, hashFile, type Manifest, readManifest } from '../evidence/hand-over.ts';
import { checkStatement, clusterVerificationLines, laterLines, verificationLines } from '../evidence/seal.ts';
import { refuseFolder } from '../input/case-folder.ts';
import { joinLogFilters } from '../input/log-filters.ts';
import { openSource } from '../input/open-cases.ts';
import { readScoredFilter } from '../input/read-query.ts';
import { requireAllShards } from '../input/refuse-cluster.ts';
import type { verifySpec } from '../specs/case-specs.ts';
import { displayProgress, formatCount } from '../terminal/progress.ts';
import type { OutputStyle, Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson, wrapLines } from '../terminal/text.ts';
import { formatTime } from '../terminal/time-format.ts';

/** Verifies a case against its originals and records, or a hand-over folder. */
export const verifyCommand: RunCommand<typeof verifySpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  if (isClusterAddress(values.case)) return await verifyInCluster(values.case, options, terminal);
  if (options.originals !== undefined)
    throw new UsageError('--originals requires the address of a cluster: a case has its own folder');
  const isFolder = statSync(values.case, { throwIfNoEntry: false })?.isDirectory() ?? false;
  // A hand-over folder has its manifest.
  if (isFolder && !existsSync(join(values.case, handOverFiles.manifest))) refuseFolder(values.case);
  return isFolder
    ? await verifyFolder(values.case, options, terminal)
    : await verifyFile(values.case, options, terminal);
};

type Options = CommandCall<typeof verifySpec>['options'];

async function verifyFile(path: string, options: Options, terminal: Terminal): Promise<ExitCode> {
  if (options.case !== undefined)
    throw new UsageError(`--case requires a hand-over folder, and "${path}" is a file`);
  const sealed =
    options.seal === undefined ? undefined : readSeal(await readTextFile(options.seal, '--seal'));
  const ownSeal = sealed && (await checkSeal(sealed, await sealCheckOptions(options)));
  await using of = await openCase(path, { access: 'read', altered: 'opened' });
  const display = displayProgress(terminal);
  const checked = await verifyCase(of, {
    head: options.head,
    sealed: ownSeal?.statement.head,
    signal: terminal.interruption(),
    onProgress: ({ file, bytes }) => display.update({ doing: `Checking ${file}`, done: bytes, unit: 'B' }),
  }).finally(() => display.end());
  const sealedThen = checked.since?.find(({ hash }) => hash === ownSeal?.statement.head?.toLowerCase());
  const seal = ownSeal && withProblems(ownSeal, checkStatement(ownSeal.statement, sealedThen));
  await print({ ...checked, ...(seal && { seal }) }, caseLines, { options, terminal });
  const isRight = checked.deviations.length === 0 && (seal?.problems.length ?? 0) === 0;
  return isRight ? exitCodes.done : exitCodes.no;
}

async function verifyInCluster(address: string, options: Options, terminal: Terminal): Promise<ExitCode> {
  for (const name of ['head', 'seal', 'case'] as const)
    if (options[name] !== undefined)
      throw new UsageError(`--${name} requires a case or a folder, not a cluster`);
  const { verifyNamedCluster } = await import('../cluster/open-cluster.ts');
  const checked = await verifyNamedCluster(address, { originals: options.originals, terminal });
  await print(checked, clusterVerificationLines, { options, terminal });
  return checked.deviations.length === 0 ? exitCodes.done : exitCodes.no;
}

async function verifyFolder(folder: string, options: Options, terminal: Terminal): Promise<ExitCode> {
  if (options.head !== undefined || options.seal !== undefined)
    throw new UsageError(`--head and --seal require a case, and "${folder}" is a folder`);
  const seal = await sealCheckOptions(options);
  const signal = terminal.interruption();
  const check = async () => {
    if (options.case === undefined) return await checkHandOver(folder, { seal, signal });
    requireAllShards('verify', options.case);
    await using opened = await openSource(options.case, terminal);
    const of = opened.source;
    const toFilter = async (manifest: Manifest) => {
      const { query } = manifest;
      const scored = readScoredFilter(query.text, query.engine, quiet(terminal), Date.parse(query.now));
      if (!scored) throw new UsageError('The query of the manifest has errors');
      return (await expandFuzzy([of], joinLogFilters(scored, filtersOf(manifest)))).filter;
    };
    return await checkHandOver(folder, { seal, signal, from: { of, toFilter } });
  };
  const checked = await check();
  await print(checked, (check, face) => handOverLines(check, face, options.case !== undefined), {
    options,
    terminal,
  });
  const isRight = checked.problems.length === 0 && (checked.seal?.problems.length ?? 0) === 0;
  return isRight ? exitCodes.done : exitCodes.no;
}

/** A terminal without messages: findings of the query were reported at the hand-over. */
function quiet(terminal: Terminal): Terminal {
  return { ...terminal, message: () => {} };
}

async function sealCheckOptions({ publicKey, ca }: Options): Promise<SealCheckOptions> {
  const trusted = ca === undefined ? [] : readCertificates(await readTextFile(ca, '--ca'));
  return {
    trusted: [...trusted, ...rootCertificates],
    ...(publicKey !== undefined && { publicKey: await readTextFile(publicKey, '--public-key') }),
  };
}

function withProblems(check: SealCheck, more: SealCheck['problems']): SealCheck {
  return { ...check, problems: [...check.problems, ...more] };
}

async function print<T>(
  checked: T,
  linesOf: (checked: T, face: OutputStyle) => readonly string[],
  { options, terminal }: { readonly options: Options; readonly terminal: Terminal },
): Promise<void> {
  const text = `${linesOf(checked, terminal.stdout).join('\n')}\n`;
  await terminal.print(options.json ? `${toJson(checked, 2)}\n` : wrapLines(text, terminal.stdout.width));
}

function caseLines(
  checked: Verification & { readonly seal?: SealCheck },
  face: OutputStyle,
): readonly string[] {
  return [
    ...verificationLines(checked, face),
    ...(checked.seal ? sealLines(checked.seal, face) : []),
    ...(checked.since ?? []).flatMap(laterLines),
  ];
}

function handOverLines(
  { manifest, sha256, seal, problems }: HandOverCheck,
  face: OutputStyle,
  isCompared: boolean,
): readonly string[] {
  const { style } = face;
  const files = `${formatCount(manifest.files.length, 'file')} with ${formatCount(manifest.found, 'log')}`;
  const how = isCompared ? 'Identical to the case' : 'Identical to the manifest';
  return [
    ...problems.map(({ code, message }) => `${style.red(code)}  ${escapeUnsafe(message)}`),
    problems.length === 0
      ? `${style.green(how)}: ${files}.`
      : `${formatCount(problems.length, 'deviation')} in ${files}.`,
    `SHA-256 of the manifest: ${sha256}`,
    ...(manifest.case.head === undefined ? [] : [`Last hash of the case: ${manifest.case.head}`]),
    ...(seal
      ? sealLines(seal, face)
      : ['Not sealed: anyone with access to the folder could have altered all of it.']),
  ];
}

/** Codes of the problems of a hand-over folder. They are stable; the text beside each is its meaning. */
export const handOverProblemCodes = {
  FILE_MISSING: 'A file that the manifest lists is gone',
  FILE_ALTERED: 'A file has other bytes than the manifest says',
  FILE_UNLISTED: 'A file lies in the folder that the manifest does not list',
  SEAL_MISSING: 'A key is given, and the folder is not sealed',
  HEAD_UNKNOWN: 'The case holds no action with the hash of the manifest',
  LOGS_DIFFER: 'The logs are not those that the query selects in the case',
} as const;

/** A problem of a hand-over folder. */
interface HandOverProblem {
  readonly code: keyof typeof handOverProblemCodes;
  readonly message: string;
}

/** Result of checking a hand-over folder. */
interface HandOverCheck {
  readonly manifest: Manifest;
  /** The SHA-256 of the manifest. */
  readonly sha256: string;
  /** Absent if the folder is not sealed. */
  readonly seal?: SealCheck;
  readonly problems: readonly HandOverProblem[];
}

/** Options of a check. */
interface HandOverCheckOptions {
  readonly seal: SealCheckOptions;
  /**
   * The case of origin, and a function that resolves the query. Default: only the folder itself is
   * checked.
   */
  readonly from?: { readonly of: AnyLogSource; readonly toFilter: (manifest: Manifest) => Promise<Filter> };
  readonly signal: AbortSignal;
}

/**
 * Checks a hand-over folder against its manifest, its seal and, if given, the case. Rejects with a
 * `UsageError` if it has no manifest.
 */
async function checkHandOver(
  folder: string,
  { seal, from, signal }: HandOverCheckOptions,
): Promise<HandOverCheck> {
  const path = join(folder, handOverFiles.manifest);
  const text = await readTextFile(path, 'FOLDER');
  const manifest = readManifest(text, path);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const present = await readdir(folder);
  const checked = present.includes(handOverFiles.seal) ? await checkOwnSeal(folder, sha256, seal) : undefined;
  const isSealMissing = checked === undefined && seal.publicKey !== undefined;
  const problems = [
    ...(isSealMissing ? [sealMissing] : []),
    ...(await checkFiles(folder, manifest, present)),
    ...(from ? await checkAgainstCase(folder, manifest, { ...from, signal }) : []),
  ];
  return { manifest, sha256, ...(checked && { seal: checked }), problems };
}

const sealMissing = {
  code: 'SEAL_MISSING',
  message: 'The folder is not sealed, so its origin is not proven',
} as const;

async function checkOwnSeal(folder: string, sha256: string, options: SealCheckOptions): Promise<SealCheck> {
  const checked = await checkSeal(
    readSeal(await readFile(join(folder, handOverFiles.seal), 'utf8')),
    options,
  );
  if (checked.statement.manifest === sha256) return checked;
  const problem = { code: 'SEALED_OTHERWISE', message: 'The manifest is not the sealed one' } as const;
  return { ...checked, problems: [...checked.problems, problem] };
}

async function checkFiles(
  folder: string,
  { files }: Manifest,
  present: readonly string[],
): Promise<readonly HandOverProblem[]> {
  const problems: HandOverProblem[] = [];
  for (const { name, bytes, sha256 } of files) {
    if (!present.includes(name)) {
      problems.push({ code: 'FILE_MISSING', message: `"${name}" is missing` });
      continue;
    }
    if (!(await lstat(join(folder, name))).isFile()) {
      problems.push({ code: 'FILE_ALTERED', message: `"${name}" is not a file` });
      continue;
    }
    const found = await hashFile(join(folder, name));
    if (found.sha256 !== sha256)
      problems.push({
        code: 'FILE_ALTERED',
        message: `"${name}" has ${found.bytes} bytes with the SHA-256 ${found.sha256}; the manifest says ${bytes} and ${sha256}`,
      });
  }
  const listed = new Set<string>([
    handOverFiles.manifest,
    handOverFiles.seal,
    ...files.map(({ name }) => name),
  ]);
  for (const name of present)
    if (!listed.has(name))
      problems.push({ code: 'FILE_UNLISTED', message: `"${name}" is not in the manifest` });
  return problems;
}

async function checkAgainstCase(
  folder: string,
  manifest: Manifest,
  { of, toFilter, signal }: NonNullable<HandOverCheckOptions['from']> & { readonly signal: AbortSignal },
): Promise<readonly HandOverProblem[]> {
  const { head, newestPart } = manifest.case;
  if (isCase(of) ? !(await findActions(of)).some(({ hash }) => hash === head) : head !== undefined)
    return [{ code: 'HEAD_UNKNOWN', message: headProblem(of, head) }];
  const lines = linesOf(join(folder, handOverFiles.ndjson));
  let count = 0;
  for await (const log of streamLogs(of, await toFilter(manifest), { order: 'oldest', signal })) {
    // Parts added after the hand-over are not expected.
    if (newestPart < log.part) continue;
    count += 1;
    const line = await lines.next();
    if (line.done || line.value !== toJson(log))
      return [
        {
          code: 'LOGS_DIFFER',
          message: `Line ${count} of "${handOverFiles.ndjson}" is not log ${log.id} of the case, which the query selects`,
        },
      ];
  }
  const more = await lines.next();
  if (more.done) return [];
  return [
    {
      code: 'LOGS_DIFFER',
      message: `"${handOverFiles.ndjson}" has more than the ${count} logs that the query selects in the case`,
    },
  ];
}

function headProblem(of: AnyLogSource, head: string | undefined): string {
  if (head === undefined) return 'The folder was made from a cluster, not from a case';
  return isCase(of)
    ? `The case holds no action with the hash ${head}`
    : 'The folder was made from a case, not from a cluster';
}

/** Yields the lines of a file; none if it is missing, which is reported elsewhere. */
async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  const input = createReadStream(path);
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  } finally {
    input.destroy();
  }
}

/** Formats the result of checking a seal. */
function sealLines({ statement, signer, timeStamp, problems }: SealCheck, { style }: OutputStyle): string[] {
  return [
    ...problems.map(({ code, message }) => `${style.red(code)}  ${escapeUnsafe(message)}`),
    `Seal of ${escapeUnsafe(statement.made)} by ${escapeUnsafe(statement.tool)}`,
    signer === undefined
      ? '  not signed: anyone could have created it'
      : `  signed with the key ${signer.fingerprint} (SHA-256)${comparison(signer.isKnown, problems)}`,
    timeStamp === undefined
      ? '  no time stamp: only its creator states the time'
      : `  existed at ${formatTime(timeStamp.time)} (UTC), according to ${escapeUnsafe(timeStamp.authority)}${timeStamp.isTrusted ? '' : ', which no known authority certifies; --ca FILE names one'}`,
  ];
}

/** States how the key compares with the one that the call gives, if it gives any. */
function comparison(isKnown: boolean, problems: SealCheck['problems']): string {
  if (isKnown) return ', the given one';
  const isOther = problems.some(({ code }) => code === 'SIGNER_WRONG');
  return isOther ? ', not the given one' : '; --public-key FILE compares it with a known one';
}
