import { statSync } from 'node:fs';
import { openCase, verifyCase } from '../../case/index.ts';
import { makeSeal, readStatement, type SealOptions, writeSeal } from '../../seal/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { writeOutput } from '../command-line/write-output.ts';
import { makeStatement, readSealOptions, verificationLines } from '../evidence/seal.ts';
import type { sealSpec } from '../specs/case-specs.ts';
import { displayProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toJson, wrapLines } from '../terminal/text.ts';

/** Seals a case: writes a file that later proves it unaltered. */
export const sealCommand: RunCommand<typeof sealSpec> = async ({
  arguments: { case: path },
  options,
  terminal,
}) => {
  const out = options.out ?? `${path}.seal.json`;
  // An earlier seal proves more than a later one.
  if (statSync(out, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`"${out}" already exists and is not replaced: name another file with --out`);
  const sealed = await sealCase(path, { out, sealing: await readSealOptions(options, terminal), terminal });
  if (!sealed) return exitCodes.no;
  const { seal, checked } = sealed;
  await terminal.print(
    options.json
      ? `${toJson(readStatement(seal), 2)}\n`
      : wrapLines(`${verificationLines(checked, terminal.stdout).join('\n')}\n`, terminal.stdout.width),
  );
  return exitCodes.done;
};

/** Where the seal of a case is written, and what it has besides the statement. */
interface SealCaseOptions {
  readonly out: string;
  readonly sealing: SealOptions;
  readonly terminal: Terminal;
}

/** Checks a case and writes its seal. Resolves to undefined, having said why, if the case differs from its record. */
export async function sealCase(path: string, { out, sealing, terminal }: SealCaseOptions) {
  await using of = await openCase(path, { access: 'read' });
  const display = displayProgress(terminal);
  const checked = await verifyCase(of, {
    signal: terminal.interruption(),
    onProgress: ({ file, bytes }) => display.update({ doing: `Checking ${file}`, done: bytes, unit: 'B' }),
  }).finally(() => display.end());
  const { head } = checked;
  if (0 < checked.deviations.length || head === undefined) {
    for (const line of verificationLines(checked, terminal.stderr)) terminal.message(line);
    terminal.message('A case with deviations cannot be sealed.');
    return undefined;
  }
  const seal = await makeSeal(makeStatement(path, { ...checked, head }), sealing);
  await writeOutput(writeSeal(seal), { path: out, terminal });
  return { seal, checked: { ...checked, head } };
}
