import type { Finding } from '../../../language/finding.ts';
import { format as formatQuery } from '../../../language/format.ts';
import { parse } from '../../../language/parse.ts';
import type { Query } from '../../../language/tree.ts';
import { type Dropped, type ExplicitOptions, explicit } from '../../../meaning/explicit.ts';
import type { CommandCall, RunCommand } from '../../command-line/command.ts';
import { exitCodes } from '../../command-line/exit-code.ts';
import { type GivenQuery, readQueries } from '../../input/read-queries.ts';
import { reportFindings } from '../../input/read-query.ts';
import { readSchemaContext } from '../../input/read-schema.ts';
import { formatJsonList } from '../../output/json-list.ts';
import type { formatSpec } from '../../specs/language.ts';
import { escapeUnsafe, textFor } from '../../terminal/printable.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Writes queries in the usual layout. */
export const formatCommand: RunCommand<typeof formatSpec> = async (call) => {
  const { options, terminal } = call;
  let refused = 0;
  const formatted = formatAll(call, (given, findings) => {
    refused += 1;
    if (!options.json) reportFindings(given, findings, terminal);
  });
  for await (const piece of options.json ? formatJsonList(formatted) : lines(formatted, terminal))
    await terminal.print(piece);
  return refused === 0 ? exitCodes.done : exitCodes.no;
};

type FormatCall = CommandCall<typeof formatSpec>;

interface Formatted {
  readonly query: string;
  /** The unchanged query if it has errors. */
  readonly formatted: string;
  /** Parts of the query left out of its explicit form. */
  readonly dropped?: readonly Dropped[];
  readonly findings: readonly Finding[];
}

type Refuse = (given: GivenQuery, findings: readonly Finding[]) => void;

async function* formatAll(call: FormatCall, refuse: Refuse): AsyncGenerator<Formatted> {
  const { arguments: given, options, terminal } = call;
  const context = {
    now: Date.now(),
    ...(await readSchemaContext(options.fields, terminal)),
    ...(options.reading && { reading: options.reading }),
  };
  for await (const each of readQueries({ query: given.query, file: options.file }, terminal)) {
    const { query, findings } = parse(each.text);
    if (0 < findings.length) refuse(each, findings);
    // A query of a line of a file stays on one line.
    const width = each.source ? Number.POSITIVE_INFINITY : options.width;
    const written = options.explicit
      ? explicitly(query, { ...context, width })
      : { formatted: formatQuery(query, { width }) };
    yield { query: each.text, ...each.source, ...written, findings };
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
    terminal.say(`Left out: ${escapeUnsafe(query.slice(from, to))} ${reasons[reason]}.`);
  }
}

async function* lines(formatted: AsyncIterable<Formatted>, terminal: Terminal): AsyncGenerator<string> {
  for await (const each of formatted) {
    yield `${textFor(terminal.data, each.formatted)}\n`;
    sayDropped(each, terminal);
  }
}
