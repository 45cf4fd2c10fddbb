import type { FieldValues, Reading, Relation } from '../../language/index.ts';
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
  // Loaded here: no other command needs it.
  const { relate } = await import('../../language/logic/relate.ts');
  const relation = relate(first, second);
  const text = wrapLines(`${lines(relation).join('\n')}\n`, terminal.stdout.width);
  const { kind, ...found } = relation;
  const answer = { a, b, same: isSame(relation), relation: kind, ...found };
  await terminal.print(options.json ? `${toJson(answer, 2)}\n` : text);
  return kind === 'same' ? exitCodes.done : exitCodes.no;
};

/** Reports if the queries select the same logs; undefined if that is not decided. */
function isSame({ kind, examples }: Relation): boolean | undefined {
  if (kind !== undefined) return kind === 'same';
  return examples.onlyA || examples.onlyB ? false : undefined;
}

function lines(relation: Relation): readonly string[] {
  const { kind, empty, examples, undecided } = relation;
  if (kind === 'same' && 0 < empty.length) return ['The queries select the same logs: none at all.'];
  if (kind === 'same') return ['The queries select the same logs.'];
  const first = isSame(relation) === undefined ? `Not decided: ${undecided}` : 'The queries differ.';
  return [
    kind ? `The queries differ: ${answers[kind]}.` : first,
    ...empty.map((one) => `The ${one === 'a' ? 'first' : 'second'} one selects nothing.`),
    ...exampleLines('Only the first one selects', examples.onlyA),
    ...exampleLines('Only the second one selects', examples.onlyB),
    ...exampleLines('Both select', examples.both),
  ];
}

/** What is said of queries that differ, by how their logs are related. */
const answers = {
  within: 'the second one selects all logs of the first, and others',
  contains: 'the first one selects all logs of the second, and others',
  disjoint: 'no log is selected by both',
  overlapping: 'some logs are selected by both, others by one of them',
} as const;

function exampleLines(heading: string, values: FieldValues | undefined): readonly string[] {
  if (!values) return [];
  const fields = Object.entries(values).map(([name, value]) => `  ${name}: ${escapeUnsafe(String(value))}`);
  return [`${heading} this log:`, ...(fields.length === 0 ? ['  a log without any field'] : fields)];
}
