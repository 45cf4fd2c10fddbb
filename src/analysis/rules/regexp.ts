import type { Field, RegexpFilter } from '../../language/index.ts';
import { compileRegexp } from '../../language/index.ts';
import { refuseRule } from './refusal.ts';
import {
  type CodePointRanges,
  ignoresCase,
  isMultiLine,
  parseExpression,
  type RegexpFlags,
  type RegexpPart,
} from './regexp-source.ts';

/**
 * Compiles a regular expression that a rule looks for anywhere in a value to one of whole values
 * in the engine's syntax. Throws `RuleRefusal` for a construct without an equivalent, and for an
 * expression that takes too many states.
 */
export function regexpFilter(field: Field, text: string, flags: RegexpFlags): RegexpFilter {
  const isLower = flags.ignoreCase || ignoresCase(text);
  const multiLine = flags.multiLine || isMultiLine(text);
  const branches = parseExpression(text, flags).map((parts) => writeBranch(parts, multiLine));
  const bodies = new Map<string, string[]>();
  for (const { before, body, after } of branches) {
    const around = `${before}(\u0000)${after}`;
    bodies.set(around, [...(bodies.get(around) ?? []), body]);
  }
  const pattern = Array.from(bodies, ([around, alike]) =>
    around.replace('\u0000', () => alike.join('|')),
  ).join('|');
  const compiled = compileRegexp(pattern);
  if ('refusal' in compiled) refuseRule(`The regular expression is refused: ${compiled.refusal.message}`);
  return { kind: 'regexp', field: isLower ? { ...field, normalizer: 'lowercase' } : field, pattern };
}

interface Branch {
  readonly before: string;
  readonly body: string;
  readonly after: string;
}

/** A branch with what may stand before and behind it in a value. `$` also matches before a final line break. */
function writeBranch(parts: readonly RegexpPart[], multiLine: boolean): Branch {
  const first = parts.findIndex((part) => !isAnchor(part, 'start'));
  const isStart = first !== 0 && 0 < parts.length;
  const inner = parts.slice(first === -1 ? parts.length : first);
  const isEnd = 0 < inner.length ? isAnchor(inner.at(-1), 'end') : false;
  const body = isEnd ? inner.slice(0, inner.findLastIndex((part) => !isAnchor(part, 'end')) + 1) : inner;
  return {
    before: isStart ? (multiLine ? '(.*\n)?' : '') : '.*',
    body: body.map(writePart).join('') || '()',
    after: isEnd ? (multiLine ? '(\n.*)?' : '\n?') : '.*',
  };
}

function isAnchor(part: RegexpPart | undefined, at: 'start' | 'end'): boolean {
  return part?.kind === 'anchor' && part.at === at;
}

function writePart(part: RegexpPart): string {
  switch (part.kind) {
    case 'anchor':
      return refuseRule('The regular expression has "^" or "$" inside, where it is not supported');
    case 'points':
      return writePoints(part.points);
    case 'group':
      return `(${part.branches.map((parts) => parts.map(writePart).join('') || '()').join('|')})`;
    case 'repeat':
      return `${writePart(part.part)}${part.times}`;
  }
}

function writePoints(points: CodePointRanges): string {
  const [only, ...others] = points;
  // "#" is the empty language.
  if (!only) return '#';
  if (others.length === 0 && only[0] === only[1]) return writePoint(only[0]);
  if (others.length === 0 && only[0] === 0 && only[1] === 0x10ffff) return '.';
  return `[${points.map(([first, last]) => (first === last ? writePoint(first) : `${writePoint(first)}-${writePoint(last)}`)).join('')}]`;
}

function writePoint(code: number): string {
  const character = String.fromCodePoint(code);
  return /[\dA-Za-z_ \n]/.test(character) || 0x7f < code ? character : `\\${character}`;
}
