import fc from 'fast-check';
import { type Clause, type Group, type Item, type Part, parse, type Span, walk } from '../language/index.ts';

/**
 * The same values, which shrink to smaller ones that can be made of any value, as long as there are such that fail, too.
 * Only a drawn value shrinks as its arbitrary shrinks it, after those.
 */
export function shrinkingTo<T>(
  values: fc.Arbitrary<T>,
  smaller: (value: T) => readonly T[],
): fc.Arbitrary<T> {
  return new ShrinkingTo(values, smaller);
}

class ShrinkingTo<T> extends fc.Arbitrary<T> {
  readonly #values: fc.Arbitrary<T>;
  readonly #smaller: (value: T) => readonly T[];

  constructor(values: fc.Arbitrary<T>, smaller: (value: T) => readonly T[]) {
    super();
    this.#values = values;
    this.#smaller = smaller;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    return this.#values.generate(random, bias);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#values.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    const smaller = fc.stream(this.#smaller(value).values()).map((each) => new fc.Value(each, undefined));
    return context === undefined ? smaller : smaller.join(this.#values.shrink(value, context));
  }
}

/**
 * The same texts, which shrink by their trees: to a part alone, without a clause, without parentheses, a field, an operator
 * or a suffix, and to shorter words. So what remains of a counterexample is a short query, wherever in the text its cause was.
 */
export function shrinkingByTree(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return shrinkingTo(text, shorterQueries);
}

/** Shorter texts with a part of the tree of a text, the shortest first; last the text with single blanks. Not all need be queries. */
function shorterQueries(text: string): readonly string[] {
  const { query } = parse(text);
  const texts = new Set<string>();
  const replace = ({ from, to }: Span, replacement: string) =>
    texts.add(text.slice(0, from) + replacement + text.slice(to));
  const textOf = ({ from, to }: Span) => text.slice(from, to);
  walk(query, {
    Query: ({ parts }) => {
      for (const span of withoutEach(parts)) replace(span, '');
    },
    Clause: ({ modifier, field, item, to }) => {
      texts.add(textOf(item));
      texts.add(text.slice((modifier ?? field ?? item).from, to));
      if (modifier) replace({ from: modifier.from, to: (field ?? item).from }, '');
      if (field) replace({ from: field.from, to: item.from }, '');
      for (const shortest of ['a', ...shortestItems[item.kind]]) replace(item, shortest);
      for (const suffix of suffixesOf(item)) replace(suffix, '');
    },
    Group: (group) => {
      const content = contentOf(group);
      texts.add(textOf(content));
      replace(group, textOf(content));
      for (const span of withoutEach(group.parts)) replace(span, '');
    },
    Bound: (bound) => {
      for (const shortest of ['1', 'a']) replace(bound, shortest);
    },
  });
  const shorter = [...texts].filter(({ length }) => 0 < length && length < text.length);
  const spaced = text.trim().replace(/\s+/g, ' ');
  return [...shorter.sort((a, b) => a.length - b.length), ...(spaced === text ? [] : [spaced])];
}

/** The shortest items of each kind, beside a word. */
const shortestItems: { readonly [K in Item['kind']]: readonly string[] } = {
  Word: [],
  Wildcard: ['*', 'a*'],
  Regexp: ['/a/'],
  Phrase: ['"a"'],
  Range: ['[1 TO 5]'],
  Group: [],
  Missing: [],
};

/** The spans to remove for each of some parts to go, together with one operator. */
function withoutEach(parts: readonly Part[]): readonly Span[] {
  return parts.flatMap(({ from, to }, index): readonly Span[] => {
    const previous = parts[index - 1];
    if (previous) return [{ from: previous.to, to }];
    const next = parts[1];
    return next ? [{ from, to: bodyOf(next) }] : [];
  });
}

/** The offset at which a part begins after its conjunction. */
function bodyOf(part: Part): number {
  return part.kind === 'Stray' ? part.from : (part.modifier ?? part.field ?? part.item).from;
}

function contentOf({ open, parts, close, to }: Group): Span {
  return { from: parts[0]?.from ?? open.to, to: parts.at(-1)?.to ?? close?.from ?? to };
}

function suffixesOf(item: Clause['item']): readonly Span[] {
  if (item.kind === 'Missing') return [];
  if (item.kind === 'Group' || item.kind === 'Range') return item.boost ? [item.boost] : [];
  return item.suffixes;
}
