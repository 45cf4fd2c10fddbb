import { parse } from '../../language/parse.ts';
import type { Reading } from '../../meaning/clauses.ts';
import { type Comparison, compare as compareFilters } from '../../meaning/compare/compare.ts';
import type { Filter } from '../../meaning/filter.ts';
import { type ResolveOptions, resolve } from '../../meaning/resolve.ts';
import type { Run } from '../command.ts';
import { drawFindings } from '../draw-findings.ts';
import { exitCodes } from '../exit-code.ts';
import { schemaFrom } from '../fields-option.ts';
import { printable, toJson } from '../printable.ts';
import type { compareSpec } from '../specs/meaning.ts';
import type { Terminal } from '../terminal.ts';

/** Says whether two queries select the same logs. */
export const compare: Run<typeof compareSpec> = async ({ arguments: { a, b }, options, terminal }) => {
  const reading: Reading = options.reading ?? 'server';
  const context = { now: Date.now(), reading, ...(await schemaFrom(options.fields)) };
  const [first, second] = [a, b].map((query) => filterOf(query, context, terminal));
  if (!first || !second) return exitCodes.no;
  const comparison = compareFilters(first, second);
  await terminal.print(
    options.json ? `${toJson({ a, b, ...comparison }, 2)}\n` : `${lines(comparison).join('\n')}\n`,
  );
  return comparison.same ? exitCodes.done : exitCodes.no;
};

function filterOf(text: string, context: ResolveOptions, terminal: Terminal): Filter | undefined {
  const { query, findings } = parse(text);
  if (findings.length === 0) return resolve(query, context);
  const { style, width = 100 } = terminal.talk;
  terminal.say(drawFindings(text, findings, { style, width }).join('\n'));
  return undefined;
}

function lines(comparison: Comparison): readonly string[] {
  if (comparison.same) return ['They select the same logs'];
  if (comparison.same === undefined) return [`It could not be decided: ${comparison.undecided}`];
  const { values, selectedBy } = comparison.example;
  const fields = Object.entries(values).map(([name, value]) => `  ${name}: ${printable(String(value))}`);
  const which = selectedBy === 'a' ? 'first' : 'second';
  return [
    `They differ. Only the ${which} one selects this log:`,
    ...(fields.length === 0 ? ['  a log without any field'] : fields),
  ];
}
