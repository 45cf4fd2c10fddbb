import { type CheckedText, toSarif } from '../../language/sarif.ts';
import { syntaxCodes } from '../../language/syntax.ts';
import { ruleHeadings } from '../../lint/validate.ts';
import type { Call, Run } from '../command-line/command.ts';
import { exitCodes } from '../exit-code.ts';
import { engineFrom } from '../input/engine-option.ts';
import { schemaFrom } from '../input/fields-option.ts';
import { type GivenQuery, readQueries } from '../input/read-queries.ts';
import { type CheckedQuery, readQuery } from '../input/read-query.ts';
import { severitiesFrom } from '../input/severities.ts';
import { drawFindings } from '../output/draw-findings.ts';
import { jsonList } from '../output/json-list.ts';
import type { checkSpec } from '../specs/language.ts';
import { toJson } from '../terminal/printable.ts';
import { amount } from '../terminal/progress.ts';
import { version } from '../version.ts';

/** Says what is wrong with queries. */
export const check: Run<typeof checkSpec> = async (call) => {
  const { options, terminal } = call;
  const counts = { query: 0, error: 0, warning: 0, hint: 0 };
  const checked = counted(checkAll(call), counts);
  for await (const piece of printed(checked, call)) await terminal.print(piece);
  if (!options.json && !options.sarif) terminal.say(summaryOf(counts));
  return counts.error === 0 ? exitCodes.done : exitCodes.no;
};

type CheckCall = Call<typeof checkSpec>;
type Checked = GivenQuery & Pick<CheckedQuery, 'findings'>;
type Counts = Record<'query' | 'error' | 'warning' | 'hint', number>;

async function* checkAll({ arguments: { query }, options, terminal }: CheckCall): AsyncGenerator<Checked> {
  const { file, dialect, severity } = options;
  const context = {
    ...(await schemaFrom(options.fields, terminal)),
    ...(dialect && { dialect }),
    ...engineFrom(options.engine),
    severities: severitiesFrom(severity),
  };
  for await (const given of readQueries({ query, file }, terminal)) {
    yield { ...given, findings: readQuery(given.text, context).findings };
  }
}

function printed(checked: AsyncIterable<Checked>, call: CheckCall): AsyncIterable<string> {
  if (call.options.json) return jsonList(reports(checked));
  return call.options.sarif ? sarif(checked) : drawn(checked, call);
}

async function* counted(checked: AsyncIterable<Checked>, counts: Counts): AsyncGenerator<Checked> {
  for await (const each of checked) {
    counts.query += 1;
    for (const { severity } of each.findings) counts[severity] += 1;
    yield each;
  }
}

async function* reports(checked: AsyncIterable<Checked>): AsyncGenerator<object> {
  for await (const { text, source, findings } of checked) yield { query: text, ...source, findings };
}

/** One document for all queries; those that were given on the command line have no file. */
async function* sarif(checked: AsyncIterable<Checked>): AsyncGenerator<string> {
  const texts: CheckedText[] = [];
  for await (const { text, source, findings } of checked) {
    texts.push({ uri: encodeURI(source?.name ?? 'command-line'), line: source?.line ?? 1, text, findings });
  }
  const headings = new Map<string, string>([...Object.entries(syntaxCodes), ...ruleHeadings]);
  yield `${toJson(toSarif(texts, { headings, version }), 2)}\n`;
}

async function* drawn(checked: AsyncIterable<Checked>, { terminal }: CheckCall): AsyncGenerator<string> {
  const { style, width = 100 } = terminal.data;
  let before = '';
  for await (const { text, source, findings } of checked) {
    if (findings.length === 0) continue;
    yield `${before}${drawFindings(text, findings, { style, width, source }).join('\n')}\n`;
    before = '\n';
  }
}

function summaryOf({ query, error, warning, hint }: Counts): string {
  const parts = Object.entries({ error, warning, hint }).filter(([, number]) => 0 < number);
  const found = parts.map(([name, number]) => plural(number, name)).join(', ') || 'No findings';
  return `${found} in ${plural(query, 'query', 'queries')}.`;
}

function plural(number: number, one: string, many = `${one}s`): string {
  return amount(number, number === 1 ? one : many);
}
