import type { Schema } from '../meaning/fields.ts';
import { fieldsNamed } from '../meaning/targets.ts';
import { withoutEscapes } from '../parse/escape.ts';
import type { Clause, Part, Span } from '../parse/tree.ts';
import { tokensOf } from '../parse/walk.ts';
import { doubleLostBackslashes } from './escapes.ts';

/** A value without quotes, which its own colons and slashes split into parts: a URL, a path, a time. */
export interface Pasted extends Span {
  readonly kind: 'pasted';
  readonly at: number;
  readonly parts: readonly Part[];
  /** The value that was meant. */
  readonly value: () => string;
  /** True if it is a syntax error, which the parser reports. */
  readonly isBroken: boolean;
  /** The kind of value, such as "a URL"; undefined for a path, which only its slashes split. */
  readonly look: string | undefined;
}

/** The pasted values on a level. */
export function* pastedOn(parts: readonly Part[], schema: Schema): Generator<Pasted> {
  for (const [at, run] of runsOf(parts)) {
    const pasted = toPasted(at, run, schema);
    if (pasted) yield pasted;
  }
}

/** The runs of parts without a blank between them that have a field or a pair of slashes. */
function* runsOf(parts: readonly Part[]): Generator<readonly [at: number, run: readonly Part[]]> {
  let first = 0;
  let special = false;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'Clause' && (part.field || part.item.kind === 'Regexp')) special = true;
    if (parts[index + 1]?.from === part.to) continue;
    if (special) yield [first, parts.slice(first, index + 1)];
    first = index + 1;
    special = false;
  }
}

function toPasted(at: number, run: readonly Part[], schema: Schema): Pasted | undefined {
  const [head] = run;
  if (head?.kind !== 'Clause' || !run.every((part) => isPiece(part, part === head))) return undefined;
  const isBroken = run.some(({ kind }) => kind === 'Stray');
  const look = lookOf(head, schema);
  if (!look && !isBroken && !isPath(run, schema)) return undefined;
  const from = look && head.field ? head.field.from : head.item.from;
  const to = run.at(-1)?.to ?? from;
  return { kind: 'pasted', at, from, to, parts: run, value: () => pastedValue(run, from), isBroken, look };
}

/** The text from an offset on, with every backslash without effect. */
function pastedValue(run: readonly Part[], from: number): string {
  const tokens = run.flatMap((part) => tokensOf(part)).filter((token) => from <= token.from);
  const raw = tokens.map(({ before, text }, index) => (index === 0 ? '' : before) + text).join('');
  return withoutEscapes(doubleLostBackslashes(raw)).text;
}

function isPiece(part: Part, isHead: boolean): boolean {
  if (part.kind === 'Stray') return ':/\\'.includes(part.token.text);
  if (!isHead && part.conjunction) return false;
  return ['Word', 'Regexp', 'Wildcard', 'Missing'].includes(part.item.kind);
}

/**
 * Returns whether slashes seem to belong to paths: a part touches them, or they enclose
 * a blank, which no token has. The value of a keyword can have one.
 */
function isPath(parts: readonly Part[], schema: Schema): boolean {
  return parts.some((part) => {
    if (part.kind === 'Stray' || part.item.kind !== 'Regexp') return false;
    const { field, item } = part;
    if (1 < parts.length) return true;
    const isKeyword = field && schema.fields.get(withoutEscapes(field.name.text).text)?.type === 'keyword';
    return !isKeyword && /\s/.test(item.term.text);
  });
}

/** The kind of value that a clause on an unknown field looks like, with all that touches it. */
function lookOf({ field, item }: Clause, schema: Schema): string | undefined {
  if (!field || !('term' in item) || field.name.to !== field.colon.from || field.to !== item.from)
    return undefined;
  const name = withoutEscapes(field.name.text).text;
  if (name === '_exists_' || 0 < fieldsNamed(name, schema).length) return undefined;
  const value = item.term.text;
  return looks.find(({ fits }) => fits(name, value))?.look;
}

interface Look {
  readonly look: string;
  readonly fits: (name: string, value: string) => boolean;
}

const looks: readonly Look[] = [
  { look: 'a URL', fits: (_name, value) => value.startsWith('//') },
  { look: 'a Windows path', fits: (name, value) => /^[A-Za-z]$/.test(name) && /^[\\/]/.test(value) },
  { look: 'a time of day', fits: (name, value) => /^\d{1,2}$/.test(name) && /^\d\d$/.test(value) },
  {
    look: 'a file and a line',
    fits: (name, value) => /\.[A-Za-z]{1,6}$/.test(name) && /^\d{1,4}$/.test(value) && isSource(name),
  },
  {
    look: 'a host and its port',
    fits: (name, value) => /[.\-\d]|^localhost$/.test(name) && /^\d{2,5}$/.test(value),
  },
  {
    look: 'a class and its method',
    fits: (name, value) =>
      /^[a-z][\w$]*(\.[\w$]+)*\.[A-Z][\w$]*$/.test(name) && /^[a-z<][\w$<>]*$/.test(value),
  },
];

/** Returns whether a name ends like a source file, and not like a host. */
function isSource(name: string): boolean {
  return /\.(java|kt|scala|groovy|py|js|ts|cs|cpp|cc|c|h|go|rb|php|sql|xml|jsp)$/i.test(name);
}
