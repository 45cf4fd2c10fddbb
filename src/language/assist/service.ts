import { checkQuery } from '../lint/check-query.ts';
import type { ValidateOptions } from '../lint/validate.ts';
import { fieldsNamed } from '../meaning/resolve.ts';
import { documentedSchema, type Field } from '../meaning/schema.ts';
import type { Edit, Finding, Fix } from '../parse/finding.ts';
import { type FormatOptions, format } from '../parse/format.ts';
import { lex, withoutEscapes } from '../parse/lex.ts';
import { parse } from '../parse/parse.ts';
import { type Query, type Span, type TokenKind, walk } from '../parse/tree.ts';
import { type Completion, type CountedValue, complete, type WantedValues, wantedValues } from './complete.ts';
import { type ExplainedLevel, type ExplainedPart, effectLabel, explain } from './explain.ts';

/** What an editor knows besides the text. */
export interface ServiceOptions extends ValidateOptions {
  /** The maximum number of suggestions of a completion; 50 unless given. */
  readonly limit?: number;
}

/** How a token looks. */
export type TokenLook = 'operator' | 'field' | 'word' | 'text' | 'number' | 'pattern' | 'bracket' | 'broken';

/** A token to highlight. White space belongs to none. */
export interface HighlightedToken extends Span {
  readonly look: TokenLook;
  /** The deployment has no field of this name; it stands in what the query excludes. */
  readonly modifiers: readonly ('unknown' | 'excluded')[];
}

/** What an editor shows of the place under the mouse: short lines of plain text. */
export interface Hover extends Span {
  readonly lines: readonly string[];
}

/** An edit that resolves a finding. */
export interface CodeAction extends Fix {
  readonly finding: Finding;
  /** True for the likeliest one of its finding. */
  readonly isPreferred: boolean;
}

/**
 * What an editor asks of one text of a query. Offsets are UTF-16 units; one outside the text is taken for the nearest
 * inside. Each answer is computed when it is asked for, and the text is parsed once.
 */
export interface LanguageService {
  readonly text: string;
  readonly query: Query;
  /** All findings: errors first, then warnings and hints. */
  readonly findings: () => readonly Finding[];
  /** The tokens in the order of the text. */
  readonly tokens: () => readonly HighlightedToken[];
  /** The field whose values would help at a cursor: fetch them from a case before `complete`. */
  readonly wantedValues: (cursor: number) => WantedValues | undefined;
  /** Suggestions at a cursor, with the values of fields by their names, the most frequent first. */
  readonly complete: (cursor: number, values?: ReadonlyMap<string, readonly CountedValue[]>) => Completion;
  /** An explanation of the token or the clause at an offset; undefined between clauses. */
  readonly hover: (offset: number) => Hover | undefined;
  /** The fixes of all findings that touch a span, in the order of the findings. */
  readonly codeActions: (span: Span) => readonly CodeAction[];
  /** The edit that formats the whole text; none if it is formatted. */
  readonly formatting: (options?: FormatOptions) => readonly Edit[];
}

/**
 * What an editor asks of a query: findings, highlighting, completion, hover, fixes, formatting. Pure, and the same for
 * a page, a shell and a language server.
 *
 * ```ts
 * const service = languageService('levle:SEVERE');
 * service.codeActions({ from: 0, to: 5 })[0]?.title; // 'Change to logLevel'
 * ```
 */
export function languageService(text: string, options: ServiceOptions = {}): LanguageService {
  const { query } = parse(text);
  const { schema = documentedSchema, dialect = 'documented' } = options;
  const findings = once(() => checkQuery(text, options).findings);
  const level = once(() => explain(query, options).level);
  return {
    text,
    query,
    findings,
    tokens: once(() => highlight(text, query, options)),
    wantedValues: (cursor) => wantedValues(text, cursor, schema),
    complete: (cursor, values = new Map()) =>
      complete(text, cursor, { schema, dialect, values, limit: options.limit ?? 50 }),
    hover: (offset) => hoverAt(text, Math.min(Math.max(0, offset), text.length), level, options),
    codeActions: ({ from, to }) =>
      findings()
        .filter((finding) => finding.from <= to && from <= finding.to)
        .flatMap((finding) =>
          finding.fixes.map((fix, index) => ({ ...fix, finding, isPreferred: index === 0 })),
        ),
    formatting: (how) => {
      const insert = format(query, how);
      return insert === text ? [] : [{ from: 0, to: text.length, insert }];
    },
  };
}

function once<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}

/** How tokens of each kind look; the end of the text is nothing to see. */
const looks: { readonly [K in Exclude<TokenKind, 'End'>]: TokenLook } = {
  And: 'operator',
  Or: 'operator',
  Not: 'operator',
  Plus: 'operator',
  Minus: 'operator',
  RangeTo: 'operator',
  Field: 'field',
  Colon: 'field',
  Term: 'word',
  Bare: 'word',
  Quoted: 'text',
  UnclosedQuoted: 'text',
  RangeQuoted: 'text',
  RangeBound: 'number',
  Star: 'pattern',
  Prefix: 'pattern',
  Wildcard: 'pattern',
  Regexp: 'pattern',
  Tilde: 'pattern',
  Boost: 'pattern',
  Open: 'bracket',
  Close: 'bracket',
  RangeOpen: 'bracket',
  RangeClose: 'bracket',
  Junk: 'broken',
  TooDeep: 'broken',
};

function highlight(
  text: string,
  query: Query,
  { schema = documentedSchema, engine }: ServiceOptions,
): readonly HighlightedToken[] {
  const unknown = new Set<number>();
  const excluded: Span[] = [];
  walk(query, {
    FieldName: ({ name }) => {
      if (fieldsOf(name.text, schema, engine).length === 0) unknown.add(name.from);
    },
    Clause: ({ modifier, item, to }) => {
      const isExcluded = modifier?.kind === 'Not' || modifier?.kind === 'Minus';
      if (isExcluded && item.kind !== 'Missing') excluded.push({ from: modifier.to, to });
    },
  });
  return lex(text).flatMap(({ kind, from, to }) => {
    if (kind === 'End') return [];
    // What is excluded from what is excluded is not.
    const depth = excluded.filter((span) => span.from <= from && to <= span.to).length;
    const modifiers = [
      ...(unknown.has(from) ? (['unknown'] as const) : []),
      ...(depth % 2 === 1 ? (['excluded'] as const) : []),
    ];
    return [{ from, to, look: looks[kind], modifiers }];
  });
}

function fieldsOf(
  rawName: string,
  schema: NonNullable<ServiceOptions['schema']>,
  engine: ServiceOptions['engine'],
): readonly Field[] {
  return fieldsNamed(withoutEscapes(rawName).text, schema, engine);
}

const aboutOperators: { readonly [K in TokenKind]?: string } = {
  And: 'AND: the clauses on both sides must match. The server reads a list from left to right, without precedence',
  Or: 'OR: one of the clauses must match, unless another one of the list has to',
  Not: 'NOT: excludes the logs that the next clause selects',
  Plus: '+: the next clause must match',
  Minus: '-: excludes the logs that the next clause selects',
  Tilde: '~: similar words, or words of a phrase that are near each other',
  Boost: '^: the weight of this part in the order by relevance; it selects nothing',
};

function hoverAt(
  text: string,
  offset: number,
  level: () => ExplainedLevel,
  { schema = documentedSchema, engine }: ServiceOptions,
): Hover | undefined {
  const token = lex(text).find(({ kind, from, to }) => kind !== 'End' && from <= offset && offset < to);
  if (!token) return;
  const { from, to, kind } = token;
  if (kind === 'Field') {
    const fields = fieldsOf(token.text, schema, engine);
    const name = withoutEscapes(token.text).text;
    return {
      from,
      to,
      lines: fields.length === 0 ? [`There is no field "${name}"`] : fields.map(aboutField),
    };
  }
  const operator = aboutOperators[kind];
  if (operator !== undefined) return { from, to, lines: [operator] };
  const found = partAt(level(), offset);
  if (!found) return;
  const { part, around } = found;
  const tokens = part.tokens.length < 2 ? [] : [`Words: ${part.tokens.join(', ')}`];
  return {
    from: part.from,
    to: part.to,
    lines: [`${effectLabel(around, part.taken)}: ${part.asks}`, ...tokens],
  };
}

function aboutField({ name, type, about, values = [] }: Field): string {
  const known = values.length === 0 ? '' : `; one of ${values.join(', ')}`;
  return `${name} (${type}): ${about}${known}`;
}

/** The innermost part around an offset, and the level that it is in. */
function partAt(
  around: ExplainedLevel,
  offset: number,
): { readonly part: ExplainedPart; readonly around: ExplainedLevel } | undefined {
  const part = around.parts.find(({ from, to }) => from <= offset && offset < to);
  return part && ((part.level && partAt(part.level, offset)) ?? { part, around });
}
