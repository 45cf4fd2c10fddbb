import { describe } from '../../meaning/explain/describe.ts';
import type { Schema } from '../../meaning/fields.ts';
import type { Filter } from '../../meaning/filter.ts';
import { toDuckdb } from '../../translate/duckdb.ts';
import { toElasticsearch } from '../../translate/elasticsearch.ts';
import type { Loss } from '../../translate/loss.ts';
import { toText } from '../../translate/text.ts';
import type { Run } from '../command-line/command.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { exitCodes } from '../exit-code.ts';
import { schemaFrom } from '../input/fields-option.ts';
import { soundFilter } from '../input/sound-query.ts';
import type { translateSpec } from '../specs/meaning.ts';
import { printable, toJson } from '../terminal/printable.ts';

/** Writes a query in another language. */
export const translate: Run<typeof translateSpec> = async ({ arguments: given, options, terminal }) => {
  const { to } = options;
  if (to === undefined) throw new UsageError(`"--to" requires one of ${Object.keys(targets).join(', ')}`);
  const context = { now: Date.now(), ...(await schemaFrom(options.fields, terminal)) };
  const filter = soundFilter(given.query, context, terminal);
  if (!filter) return exitCodes.no;
  const { text, value, losses } = targets[to](filter, context);
  const lost = losses.map(({ filter: part, reason }) => ({ part: describe(part), reason }));
  if (options.json) await terminal.print(`${toJson({ to, ...value, losses: lost }, 2)}\n`);
  else {
    await terminal.print(`${text}\n`);
    for (const { part, reason } of lost) terminal.say(printable(`Not said exactly: ${part}. ${reason}`));
  }
  return lost.length === 0 ? exitCodes.done : exitCodes.no;
};

/** A translation: to be read, as data, and what it does not say. */
interface Translation {
  readonly text: string;
  readonly value: object;
  readonly losses: readonly Loss[];
}

type Target = (filter: Filter, fields: { readonly schema?: Schema }) => Translation;

const targets: { readonly [name in 'elasticsearch' | 'duckdb' | 'text']: Target } = {
  elasticsearch: (filter) => {
    const { query, losses } = toElasticsearch(filter);
    return { text: toJson({ query }, 2), value: { query }, losses };
  },
  duckdb: (filter) => {
    const { sql, parameters, tests } = toDuckdb(filter);
    const numbered = parameters.map((value, index) => `$${index + 1} = ${toJson(value)}`);
    const reason = 'The SQL calls "column_test", which is a function of this program';
    const losses = 0 < tests.size ? [{ filter, reason }] : [];
    return { text: [sql, ...numbered].join('\n'), value: { sql, parameters }, losses };
  },
  text: (filter, { schema }) => {
    const { text, losses } = toText(filter, schema ? { schema } : {});
    return { text: printable(text), value: { text }, losses };
  },
};
