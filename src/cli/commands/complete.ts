import {
  type Completion,
  type CountedValue,
  complete,
  documentedSchema,
  type Field,
  wantedValues,
} from '../../language/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { readLines } from '../command-line/files.ts';
import { openCases } from '../input/open-cases.ts';
import { readSchemaContext } from '../input/read-query.ts';
import { valuesInCases } from '../input/values-in-cases.ts';
import { formatTable } from '../output/table.ts';
import type { completeSpec } from '../specs/query-specs.ts';
import { toJson } from '../terminal/text.ts';

/** Suggests completions at a position of a query. */
export const completeCommand: RunCommand<typeof completeSpec> = async ({
  arguments: { query },
  options,
  terminal,
}) => {
  const { at = query.length, dialect = 'documented' } = options;
  const limit = options.limit(terminal.stdout) ?? Number.POSITIVE_INFINITY;
  if (query.length < at)
    throw new UsageError(`--at must be a position in the query, at most ${query.length}, got "${at}"`);
  const { schema = documentedSchema } = await readSchemaContext(options.fields, terminal);
  const request = wantedValues(query, at, schema);
  const values = request ? await valuesOf(request.field, { options, terminal }) : new Map();
  const completion = complete(query, at, { schema, dialect, values, limit });
  if (options.json) await terminal.print(`${toJson(completion, 2)}\n`);
  else await terminal.print(`${linesOf(completion, terminal).join('\n')}\n`);
  return completion.suggestions.length === 0 ? exitCodes.no : exitCodes.done;
};

type Given = Pick<CommandCall<typeof completeSpec>, 'options' | 'terminal'>;

/** The values of a field: those of the case by descending frequency, then those of the list of sources. */
async function valuesOf(
  field: Field,
  { options, terminal }: Given,
): Promise<ReadonlyMap<string, readonly CountedValue[]>> {
  const counted = options.case === undefined ? [] : await valuesInCase(options.case, field, terminal);
  const listed =
    options.sources === undefined || field.name !== 'source'
      ? []
      : await readLines(options.sources, terminal);
  const known = new Set(counted.map(({ value }) => value));
  const others = listed.filter((value) => !known.has(value)).map((value) => ({ value }));
  return new Map([[field.name, [...counted, ...others]]]);
}

async function valuesInCase(
  path: string,
  field: Field,
  terminal: Given['terminal'],
): Promise<CountedValue[]> {
  await using opened = await openCases([path], terminal);
  return await valuesInCases(opened.cases, field);
}

function linesOf({ suggestions }: Completion, { stdout }: Given['terminal']): string[] {
  const rows = suggestions.map(({ insert, kind, detail }) => [insert.trim(), kind, detail]);
  return formatTable(
    [{ name: 'insert', canShrink: true }, { name: 'kind' }, { name: 'detail' }],
    rows,
    stdout,
  );
}
