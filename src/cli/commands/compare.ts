import { type Comparison, compare as compareFilters, type Reading } from '../../language/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { engineContext, readSchemaContext, resolveOrReport } from '../input/read-query.ts';
import type { compareSpec } from '../specs/query-specs.ts';
import { escapeUnsafe, toJson, wrapLines } from '../terminal/text.ts';

/** Decides if two queries select the same logs. */
export const compareCommand: RunCommand<typeof compareSpec> = async ({
  arguments: { a, b },
  options,
  terminal,
}) => {
  const reading: Reading = options.reading ?? 'server';
  const fields = await readSchemaContext(options.fields, terminal);
  const context = { now: Date.now(), reading, ...engineContext(options.engine), ...fields };
  const [first, second] = [a, b].map((query) => resolveOrReport(query, context, terminal));
  if (!first || !second) return exitCodes.no;
  const comparison = compareFilters(first, second);
  const text = wrapLines(`${lines(comparison).join('\n')}\n`, terminal.stdout.width);
  await terminal.print(options.json ? `${toJson({ a, b, ...comparison }, 2)}\n` : text);
  return comparison.same ? exitCodes.done : exitCodes.no;
};

function lines(comparison: Comparison): readonly string[] {
  if (comparison.same) return ['The queries select the same logs.'];
  if (comparison.same === undefined) return [`Not decided: ${comparison.undecided}`];
  const { values, selectedBy } = comparison.example;
  const fields = Object.entries(values).map(([name, value]) => `  ${name}: ${escapeUnsafe(String(value))}`);
  const which = selectedBy === 'a' ? 'first' : 'second';
  return [
    `The queries differ. Only the ${which} one selects this log:`,
    ...(fields.length === 0 ? ['  a log without any field'] : fields),
  ];
}
