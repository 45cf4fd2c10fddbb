import type { Finding } from '../../language/finding.ts';
import { format as formatQuery } from '../../language/format.ts';
import { parse } from '../../language/parse.ts';
import type { Call, Run } from '../command.ts';
import { drawFindings } from '../draw-findings.ts';
import { exitCodes } from '../exit-code.ts';
import { jsonList } from '../json-list.ts';
import { type GivenQuery, readQueries } from '../read-queries.ts';
import type { formatSpec } from '../specs/language.ts';

/** Writes queries in the usual layout. */
export const format: Run<typeof formatSpec> = async (call) => {
  const { options, terminal } = call;
  let refused = 0;
  const formatted = formatAll(call, (given, findings) => {
    refused += 1;
    const { style, width = 100 } = terminal.talk;
    if (options.json) return;
    terminal.say(drawFindings(given.text, findings, { style, width, source: given.source }).join('\n'));
  });
  for await (const piece of options.json ? jsonList(formatted) : lines(formatted))
    await terminal.print(piece);
  return refused === 0 ? exitCodes.done : exitCodes.no;
};

interface Formatted {
  readonly query: string;
  /** The query as it is when it has errors. */
  readonly formatted: string;
  readonly findings: readonly Finding[];
}

type Refuse = (given: GivenQuery, findings: readonly Finding[]) => void;

async function* formatAll(call: Call<typeof formatSpec>, refuse: Refuse): AsyncGenerator<Formatted> {
  const { arguments: given, options, terminal } = call;
  for await (const each of readQueries({ query: given.query, file: options.file }, terminal)) {
    const { query, findings } = parse(each.text);
    if (0 < findings.length) refuse(each, findings);
    // What came as one line of many stays one line.
    const width = each.source ? Number.POSITIVE_INFINITY : options.width;
    yield { query: each.text, ...each.source, formatted: formatQuery(query, { width }), findings };
  }
}

async function* lines(formatted: AsyncIterable<Formatted>): AsyncGenerator<string> {
  for await (const each of formatted) yield `${each.formatted}\n`;
}
