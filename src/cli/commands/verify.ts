import { statSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { expandFuzzy } from '../../analysis/index.ts';
import { findActions, openCase, type Verification, verifyCase } from '../../case/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import {
  checkSeal,
  readCertificates,
  readSeal,
  type SealCheck,
  type SealCheckOptions,
} from '../../seal/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { checkHandOver, type HandOverCheck } from '../evidence/check-hand-over.ts';
import type { Manifest } from '../evidence/manifest.ts';
import { sealLines } from '../evidence/seal-lines.ts';
import { checkStatement } from '../evidence/statement.ts';
import { clusterVerificationLines, verificationLines } from '../evidence/verification-lines.ts';
import { readTextFile } from '../files/read-file.ts';
import { joinLogFilters } from '../input/log-filters.ts';
import { openSource } from '../input/open-cases.ts';
import { readScoredFilter } from '../input/read-query.ts';
import { requireAllShards } from '../input/refuse-cluster.ts';
import type { verifySpec } from '../specs/analysis.ts';
import { escapeUnsafe, toJson } from '../terminal/printable.ts';
import { displayProgress, formatCount } from '../terminal/progress.ts';
import type { Face, Terminal } from '../terminal/terminal.ts';
import { wrapLines } from '../terminal/wrap-lines.ts';

/** Verifies a case against its originals and records, or a hand-over folder. */
export const verifyCommand: RunCommand<typeof verifySpec> = async ({
  arguments: given,
  options,
  terminal,
}) => {
  if (isClusterAddress(given.case)) return await verifyInCluster(given.case, options, terminal);
  if (options.originals !== undefined)
    throw new UsageError('--originals requires the address of a cluster: a case has its own folder');
  const isFolder = statSync(given.case, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder
    ? await verifyFolder(given.case, options, terminal)
    : await verifyFile(given.case, options, terminal);
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
    signal: terminal.interruption(),
    onProgress: ({ file, bytes }) => display.update({ doing: `Checking ${file}`, done: bytes, unit: 'B' }),
  }).finally(() => display.end());
  const isReadable = checked.deviations.every(({ code }) => code !== 'CATALOGUE_ALTERED');
  const actions = ownSeal && isReadable ? await findActions(of) : [];
  const seal = ownSeal && withProblems(ownSeal, checkStatement(ownSeal.statement, { ...checked, actions }));
  await print({ ...checked, ...(seal && { seal }) }, caseLines, { options, terminal });
  const isRight = checked.deviations.length === 0 && (seal?.problems.length ?? 0) === 0;
  return isRight ? exitCodes.done : exitCodes.no;
}

async function verifyInCluster(address: string, options: Options, terminal: Terminal): Promise<ExitCode> {
  for (const name of ['head', 'seal', 'case'] as const)
    if (options[name] !== undefined)
      throw new UsageError(`--${name} requires a case or a folder, not a cluster`);
  const { verifyNamedCluster } = await import('../cluster/verify-named-cluster.ts');
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
    const toFilter = async ({ query }: Manifest) => {
      const scored = readScoredFilter(query.text, query.engine, quiet(terminal), Date.parse(query.now));
      if (!scored) throw new UsageError('The query of the manifest has errors');
      return (await expandFuzzy([of], joinLogFilters(scored, query.filters))).filter;
    };
    return await checkHandOver(folder, { seal, signal, from: { of, toFilter } });
  };
  const checked = await check();
  await print(checked, (each, face) => handOverLines(each, face, options.case !== undefined), {
    options,
    terminal,
  });
  const isRight = checked.problems.length === 0 && (checked.seal?.problems.length ?? 0) === 0;
  return isRight ? exitCodes.done : exitCodes.no;
}

/** A terminal without messages: findings of the query were reported at the hand-over. */
function quiet(terminal: Terminal): Terminal {
  return { ...terminal, say: () => {} };
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
  linesOf: (checked: T, face: Face) => readonly string[],
  { options, terminal }: { readonly options: Options; readonly terminal: Terminal },
): Promise<void> {
  const text = `${linesOf(checked, terminal.data).join('\n')}\n`;
  await terminal.print(options.json ? `${toJson(checked, 2)}\n` : wrapLines(text, terminal.data.width));
}

function caseLines(checked: Verification & { readonly seal?: SealCheck }, face: Face): readonly string[] {
  return [...verificationLines(checked, face), ...(checked.seal ? sealLines(checked.seal, face) : [])];
}

function handOverLines(
  { manifest, sha256, seal, problems }: HandOverCheck,
  face: Face,
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
