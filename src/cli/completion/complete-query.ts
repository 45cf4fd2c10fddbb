import type { CountedValue, Field } from '../../language/index.ts';
import { complete, wantedValues } from '../../language/index.ts';

/** A query completed by one suggestion, and its description. */
export interface CompletedQuery {
  readonly text: string;
  readonly detail: string;
}

/** Returns the values of a field, the most frequent first. */
export type ReadValues = (field: Field) => Promise<readonly CountedValue[]>;

/**
 * Completes a query at its end. A single field is completed by its values too: a shell takes a single
 * completion as finished and closes the quotation mark behind it.
 */
export async function completeQuery(
  query: string,
  readValues: ReadValues,
): Promise<readonly CompletedQuery[]> {
  const found = fitting(await suggestions(query, readValues), query);
  const [only, second] = found;
  if (!only || second || !only.text.endsWith(':')) return found;
  const next = await suggestions(only.text, readValues, { withSigns: true });
  return next.length === 0 ? found : next;
}

async function suggestions(
  query: string,
  readValues: ReadValues,
  { withSigns = false }: { readonly withSigns?: boolean } = {},
): Promise<readonly CompletedQuery[]> {
  const wanted = wantedValues(query, query.length);
  const values = wanted ? new Map([[wanted.field.name, await readValues(wanted.field)]]) : new Map();
  const { from, to, suggestions: all } = complete(query, query.length, { values });
  const words = all.filter(({ kind, insert }) => kind !== 'operator' || /^\s*[A-Z]+\s*$/.test(insert));
  return (words.length === 0 && withSigns ? all : words).map(({ insert, detail }) => ({
    text: (query.slice(0, from) + insert + query.slice(to)).trimEnd(),
    detail,
  }));
}

/** The completions that begin as the query is written, quotes aside; if there are none, those in another case. */
function fitting(found: readonly CompletedQuery[], query: string): readonly CompletedQuery[] {
  const written = withoutQuotes(query.trimEnd());
  const exact = found.filter(({ text }) => withoutQuotes(text).startsWith(written));
  if (0 < exact.length) return exact;
  const lower = written.toLowerCase();
  return found.filter(({ text }) => withoutQuotes(text).toLowerCase().startsWith(lower));
}

function withoutQuotes(text: string): string {
  return text.replace(/["\\]/g, '');
}
