import { openCase, type Verification, verifyCase } from '../../store/index.ts';
import type { Run } from '../command-line/command.ts';
import { exitCodes } from '../exit-code.ts';
import type { verifySpec } from '../specs/analysis.ts';
import { printable, toJson } from '../terminal/printable.ts';
import { counted, displayProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Checks a case against its originals and what was noted of it. */
export const verify: Run<typeof verifySpec> = async ({ arguments: given, options, terminal }) => {
  await using of = await openCase(given.case, { access: 'read' });
  const display = displayProgress(terminal);
  try {
    const checked = await verifyCase(of, {
      head: options.head,
      signal: terminal.interruption(),
      onProgress: ({ file, bytes }) => display.update({ doing: `Checking ${file}`, done: bytes, unit: 'B' }),
    });
    display.end();
    await terminal.print(
      options.json ? `${toJson(checked, 2)}\n` : `${report(checked, terminal).join('\n')}\n`,
    );
    return checked.deviations.length === 0 ? exitCodes.done : exitCodes.no;
  } finally {
    display.end();
  }
};

function report(checked: Verification, { data: { style } }: Terminal): string[] {
  const { files, parts, logs, unreadable, actions, head, deviations } = checked;
  const counts = `${counted(files, 'original')}, ${counted(parts, 'part')}, ${counted(logs, 'log')}, ${counted(unreadable, 'unreadable record')}, ${counted(actions, 'action')}`;
  return [
    ...deviations.map(({ code, message }) => `${style.red(code)}  ${printable(message)}`),
    deviations.length === 0
      ? `${style.green('As it came')}: ${counts}.`
      : `${counted(deviations.length, 'deviation')} in ${counts}.`,
    ...(head === undefined ? [] : [`Last hash: ${head}`]),
  ];
}
