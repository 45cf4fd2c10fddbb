import fc from 'fast-check';
import {
  documentedSchema,
  engines,
  type FieldValues,
  match,
  parse,
  QueryTooComplex,
  resolve,
} from '../language/index.ts';
import { logOver } from './filters.ts';
import { anyText, type QueryOptions, validQuery } from './query-text.ts';

/** A parser under test: it may lose nothing of a text. */
export interface PrintingParser<Tree> {
  /** The tree of any text, also of one that is no query. */
  readonly parse: (text: string) => Tree;
  /** The text of a tree. */
  readonly print: (tree: Tree) => string;
}

/**
 * A property for `fc.assert`: each text, query or not, comes back from the tree that the parser makes of it.
 *
 * ```ts
 * fc.assert(roundTrips({ parse: (text) => parse(text).query, print }));
 * ```
 */
export function roundTrips<Tree>(parser: PrintingParser<Tree>): fc.IPropertyWithHooks<[string]> {
  return fc.property(anyText, (text) => {
    const printed = parser.print(parser.parse(text));
    if (printed !== text) throw new Error(`${JSON.stringify(text)} comes back as ${JSON.stringify(printed)}`);
  });
}

/**
 * A property for `fc.assert`: formatting changes no meaning, and formatting twice changes nothing more.
 *
 * ```ts
 * fc.assert(formatsSafely((text) => format(parse(text).query)));
 * ```
 */
export function formatsSafely(
  format: (text: string) => string,
  options: QueryOptions = {},
): fc.IPropertyWithHooks<[string, FieldValues]> {
  return fc.property(validQuery(options), logOver(options.schema ?? documentedSchema), (text, log) => {
    const once = format(text);
    const twice = format(once);
    if (twice !== once)
      throw new Error(`${JSON.stringify(once)} is formatted again as ${JSON.stringify(twice)}`);
    const [before, after] = [text, once].map((query) => isSelected(query, log, options));
    if (before !== after) throw new Error(`${JSON.stringify(once)} does not mean ${JSON.stringify(text)}`);
  });
}

/** Which of the logs a query selects, in their order: one answer for each log. */
export type Selection = (query: string, logs: readonly FieldValues[]) => PromiseLike<readonly boolean[]>;

/**
 * An asynchronous property for `fc.assert`: an engine selects the logs that this language says, for valid queries and
 * for logs that are made of the same few words and numbers, so that many are selected. `now` is 0.
 *
 * ```ts
 * const select = async (text: string, logs: readonly FieldValues[]) =>
 *   logs.map((values) => match(resolve(parse(text).query, { now: 0 }), values));
 * await fc.assert(sameSelection(select));
 * ```
 */
export function sameSelection(
  select: Selection,
  options: QueryOptions = {},
): fc.IAsyncPropertyWithHooks<[string, FieldValues[]]> {
  const logs = fc.array(logOver(options.schema ?? documentedSchema), { minLength: 1, maxLength: 8 });
  return fc.asyncProperty(validQuery(options), logs, async (text, values) => {
    const expected = values.map((log) => isSelected(text, log, options));
    // The engine of the deployment refuses such a query when it runs.
    fc.pre(!expected.includes(undefined));
    const selected = await select(text, values);
    if (selected.length !== values.length)
      throw new Error(`${JSON.stringify(text)} has ${selected.length} answers for ${values.length} logs`);
    for (const [index, log] of values.entries())
      if (selected[index] !== expected[index])
        throw new Error(
          `${JSON.stringify(text)} ${expected[index] ? 'selects' : 'does not select'} ${JSON.stringify(log)}`,
        );
  });
}

/** Undefined for a query that takes too long to run. */
function isSelected(text: string, log: FieldValues, { engine, schema }: QueryOptions): boolean | undefined {
  const context = { now: 0, engine: engines[engine ?? 'deployment'], ...(schema && { schema }) };
  try {
    return match(resolve(parse(text).query, context), log);
  } catch (error) {
    if (error instanceof QueryTooComplex) return;
    throw error;
  }
}
