import type { Call, Run } from '../command.ts';
import { drawFindings } from '../draw-findings.ts';
import { exitCodes } from '../exit-code.ts';
import { schemaFrom } from '../fields-option.ts';
import { jsonList } from '../json-list.ts';
import { amount } from '../progress.ts';
import { type GivenQuery, readQueries } from '../read-queries.ts';
import { type CheckedQuery, readQuery } from '../read-query.ts';
import type { checkSpec } from '../specs/language.ts';

/** Says what is wrong with queries. */
export const check: Run<typeof checkSpec> = async (call) => {
  const { options, terminal } = call;
  const counts = { query: 0, error: 0, warning: 0, hint: 0 };
  const checked = counted(checkAll(call), counts);
  for await (const piece of options.json ? jsonList(reports(checked)) : drawn(checked, call)) {
    await terminal.print(piece);
  }
  if (!options.json) terminal.say(summaryOf(counts));
  return counts.error === 0 ? exitCodes.done : exitCodes.no;
};

type CheckCall = Call<typeof checkSpec>;
type Checked = GivenQuery & Pick<CheckedQuery, 'findings'>;
type Counts = Record<'query' | 'error' | 'warning' | 'hint', number>;

async function* checkAll({ arguments: { query }, options, terminal }: CheckCall): AsyncGenerator<Checked> {
  const { file, dialect } = options;
  const context = { ...(await schemaFrom(options.fields, terminal)), ...(dialect && { dialect }) };
  for await (const given of readQueries({ query, file }, terminal)) {
    yield { ...given, findings: readQuery(given.text, context).findings };
  }
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
