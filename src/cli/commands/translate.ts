import {
  describe,
  type ResolveOptions,
  resolveScored,
  type Scored,
  type TranslationLoss,
  toClickhouseStatement,
  toDuckdbStatement,
  toElasticsearch,
  toText,
} from '../../language/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { engineContext, parseOrReport, readSchemaContext } from '../input/read-query.ts';
import type { translateSpec } from '../specs/query-specs.ts';
import { escapeUnsafe, textFor, toJson } from '../terminal/text.ts';

/** Translates a query into another language. */
export const translateCommand: RunCommand<typeof translateSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const { to } = options;
  if (to === undefined) throw new UsageError(`--to must be one of ${Object.keys(targets).join(', ')}`);
  const fields = await readSchemaContext(options.fields, terminal);
  const query = parseOrReport(values.query, terminal);
  if (!query) return exitCodes.no;
  const context = { now: Date.now(), ...engineContext(options.engine), ...fields };
  const { text, value, losses } = targets[to](resolveScored(query, context), context);
  const lost = losses.map(({ filter: part, reason }) => ({ part: describe(part), reason }));
  if (options.json) await terminal.print(`${toJson({ to, ...value, losses: lost }, 2)}\n`);
  else {
    await terminal.print(`${textFor(terminal.stdout, text)}\n`);
    for (const { part, reason } of lost)
      terminal.message(escapeUnsafe(`Not translated exactly: ${part}. ${reason}`));
  }
  return lost.length === 0 ? exitCodes.done : exitCodes.no;
};

/** A translation as text and as data, with its losses. */
interface Translation {
  readonly text: string;
  readonly value: object;
  readonly losses: readonly TranslationLoss[];
}

type Target = (scored: Scored, context: Pick<ResolveOptions, 'schema' | 'engine' | 'now'>) => Translation;

const targets: { readonly [name in 'elasticsearch' | 'duckdb' | 'clickhouse' | 'text']: Target } = {
  elasticsearch: ({ filter, boosts }) => {
    const { query, losses } = toElasticsearch(filter, { boosts });
    return { text: toJson({ query }, 2), value: { query }, losses };
  },
  duckdb: (scored) => {
    const { sql, losses } = toDuckdbStatement(scored);
    return { text: sql, value: { sql }, losses };
  },
  clickhouse: (scored) => {
    const { text, sql, parameters, losses } = toClickhouseStatement(scored);
    return { text, value: { sql, parameters }, losses };
  },
  text: ({ filter, boosts }, context) => {
    const { text, losses } = toText(filter, { ...context, boosts });
    return { text: escapeUnsafe(text), value: { text }, losses };
  },
};
