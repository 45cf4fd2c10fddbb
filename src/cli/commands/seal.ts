import { statSync } from 'node:fs';
import { openCase, verifyCase } from '../../case/index.ts';
import { makeSeal, readStatement, writeSeal } from '../../seal/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { writeOutput } from '../command-line/write-output.ts';
import { makeStatement, readSealOptions, verificationLines } from '../evidence/seal.ts';
import type { sealSpec } from '../specs/case-specs.ts';
import { displayProgress } from '../terminal/progress.ts';
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
  const sealing = await readSealOptions(options, terminal);
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
    return exitCodes.no;
  }
  const statement = makeStatement(path, { ...checked, head });
  const seal = await makeSeal(statement, sealing);
  await writeOutput(writeSeal(seal), { path: out, terminal });
  await terminal.print(
    options.json
      ? `${toJson(readStatement(seal), 2)}\n`
      : wrapLines(
          `${verificationLines({ ...checked, head }, terminal.stdout).join('\n')}\n`,
          terminal.stdout.width,
        ),
  );
  return exitCodes.done;
};
