import {
  type Dropped,
  type ExplicitOptions,
  explicit,
  type Finding,
  format as formatQuery,
  parse,
  type Query,
} from '../../language/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { readQueryLines } from '../input/query-files.ts';
import { type GivenQuery, readSchemaContext, reportFindings } from '../input/read-query.ts';
import type { formatSpec } from '../specs/query-specs.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, formatJsonList, textFor } from '../terminal/text.ts';

/** Writes queries in the usual layout. */
export const formatCommand: RunCommand<typeof formatSpec> = async (call) => {
  const { options, terminal } = call;
  let refused = 0;
  const formatted = formatAll(call, (query, findings) => {
    refused += 1;
    if (!options.json) reportFindings(query, findings, terminal);
  });
  for await (const piece of options.json ? formatJsonList(queriesOf(formatted)) : lines(formatted, terminal))
    await terminal.print(piece);
  return refused === 0 ? exitCodes.done : exitCodes.no;
};

type FormatCall = CommandCall<typeof formatSpec>;

/** A comment stays as it is. */
type FormattedLine = Formatted | { readonly comment: string };

interface Formatted {
  readonly query: string;
  /** The unchanged query if it has errors. */
  readonly formatted: string;
  /** Parts of the query left out of its explicit form. */
  readonly dropped?: readonly Dropped[];
  readonly findings: readonly Finding[];
}

type Refuse = (query: GivenQuery, findings: readonly Finding[]) => void;

async function* formatAll(call: FormatCall, refuse: Refuse): AsyncGenerator<FormattedLine> {
  const { arguments: values, options, terminal } = call;
  const context = {
    now: Date.now(),
    ...(await readSchemaContext(options.fields, terminal)),
    ...(options.reading && { reading: options.reading }),
  };
  const sources = { query: values.query, file: options.file };
  for await (const { text: line, query: lineQuery } of readQueryLines(sources, terminal)) {
    if (!lineQuery) {
      if (line.trim() !== '') yield { comment: line };
      continue;
    }
    const { query, findings } = parse(lineQuery.text);
    if (0 < findings.length) refuse(lineQuery, findings);
    // A query of a line of a file stays on one line.
    const width = lineQuery.source ? Number.POSITIVE_INFINITY : options.width;
    const result = options.explicit
      ? explicitly(query, { ...context, width })
      : { formatted: formatQuery(query, { width }) };
    yield { query: lineQuery.text, ...lineQuery.source, ...result, findings };
  }
}

function explicitly(query: Query, options: ExplicitOptions): Pick<Formatted, 'formatted' | 'dropped'> {
  const { text, dropped } = explicit(query, options);
  return { formatted: text, dropped };
}

const reasons = {
  'filters-nothing': 'filters nothing',
  vanishes: 'disappears, because analysis leaves no word of it',
} as const;

/** Reports the parts left out of the explicit form. */
function sayDropped({ query, dropped = [] }: Formatted, terminal: Terminal): void {
  for (const { from, to, reason } of dropped) {
    terminal.message(`Left out: ${escapeUnsafe(query.slice(from, to))} ${reasons[reason]}.`);
  }
}

async function* queriesOf(lines: AsyncIterable<FormattedLine>): AsyncGenerator<Formatted> {
  for await (const line of lines) if (!('comment' in line)) yield line;
}

async function* lines(formatted: AsyncIterable<FormattedLine>, terminal: Terminal): AsyncGenerator<string> {
  for await (const line of formatted) {
    yield `${textFor(terminal.stdout, 'comment' in line ? line.comment : line.formatted)}\n`;
    if (!('comment' in line)) sayDropped(line, terminal);
  }
}
