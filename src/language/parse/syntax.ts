import { type Edit, type Finding, type Fix, moreLikeThis, mostFindings, type Severity } from './finding.ts';
import { quote, withoutEscapes } from './lex.ts';
import {
  type Clause,
  type Group,
  maxDepth,
  type Part,
  type Phrase,
  type Query,
  type Range,
  type Span,
  type Stray,
  type Token,
  tokensOf,
} from './tree.ts';

/** The codes of refused texts, each with the heading of its section in the manual. */
export const syntaxCodes = {
  'empty-query': 'Nothing is asked for',
  'missing-operand': 'Something is missing after an operator or a field',
  'misplaced-operator': 'An operator joins nothing',
  'empty-group': 'A group is empty',
  'unclosed-group': 'A group is not closed',
  'unclosed-phrase': 'A phrase is not closed',
  'broken-range': 'A range is not complete',
  'unexpected-text': 'A character stands where the grammar has no place for it',
  'too-deep': 'Groups are nested too deeply',
  'bad-escape': 'An escape is not complete',
} as const;

/** The code of a finding of the parser. */
export type SyntaxCode = keyof typeof syntaxCodes;

type Report = (code: SyntaxCode, span: Span, message: string, fixes?: () => readonly Fix[]) => void;

const severity: Severity = 'error';

/** Everything in a tree that the engine refuses, in the order of the text. */
export function syntaxFindings(query: Query): Finding<SyntaxCode>[] {
  const findings: Finding<SyntaxCode>[] = [];
  const counts: { [C in SyntaxCode]?: number } = {};
  let tokens: readonly Token[] = [];
  const report: Report = (code, { from, to }, message, fixes) => {
    const count = (counts[code] ?? 0) + 1;
    // One finding stands for all parentheses that are too deep.
    if (code === 'too-deep' && 1 < count) return;
    counts[code] = count;
    if (mostFindings < count) return;
    const found = fixes?.() ?? [];
    if (0 < found.length && tokens.length === 0) tokens = tokensOf(query);
    findings.push({ code, severity, from, to, message, fixes: found.map((fix) => keepApart(fix, tokens)) });
  };
  if (query.parts.length === 0) {
    report('empty-query', query, 'The query is empty and selects no logs');
  }
  checkLevel(query.parts, report);
  checkUnclosed(query, report);
  findings.sort((a, b) => a.from - b.from);
  return withCounts(findings, counts);
}

/** A fix that joins no tokens by what it removes: a blank stays between them, and behind a lone sign, which is a word by that. */
function keepApart({ edits, ...fix }: Fix, tokens: readonly Token[]): Fix {
  return {
    ...fix,
    edits: edits.map((edit) => {
      const behind = tokens.findIndex(({ to }) => edit.from < to);
      const next = tokens.find(({ from }) => edit.to <= from);
      const [previous, first] = [tokens[behind - 1], tokens[behind]];
      const { insert } = edit;
      const isAtBlank = /^\s/.test(insert) || (insert === '' && next !== undefined && next.before !== '');
      const isSign = previous?.kind === 'Bare' && previous.to === edit.from;
      const isJoined =
        insert === '' &&
        first?.before !== '' &&
        next?.kind !== 'End' &&
        next?.kind !== 'Close' &&
        behind !== 0;
      return !isAtBlank && (isSign || isJoined) ? { ...edit, insert: ` ${insert}` } : edit;
    }),
  };
}

/** Adds the number of omitted findings to the last one of each code. */
function withCounts(
  findings: Finding<SyntaxCode>[],
  counts: { readonly [C in SyntaxCode]?: number },
): Finding<SyntaxCode>[] {
  if (findings.length < mostFindings) return findings;
  const last = new Map(findings.map((finding) => [finding.code, finding]));
  return findings.map((finding) => {
    const { code, message } = finding;
    if (last.get(code) !== finding) return finding;
    return { ...finding, message: message + moreLikeThis((counts[code] ?? 0) - mostFindings) };
  });
}

/** The unclosed groups: each is the last part of the one around it. */
function unclosedIn(query: Query): Group[] {
  const unclosed: Group[] = [];
  let last = query.parts.at(-1);
  while (last?.kind === 'Clause' && last.item.kind === 'Group' && !last.item.close) {
    unclosed.push(last.item);
    last = last.item.parts.at(-1);
  }
  return unclosed;
}

function checkUnclosed(query: Query, report: Report): void {
  const unclosed = unclosedIn(query);
  const [first] = unclosed;
  if (!first) return;
  const end = query.end.from - query.end.before.length;
  const message =
    unclosed.length === 1
      ? 'This parenthesis is not closed'
      : `This parenthesis and ${unclosed.length - 1} more inside it are not closed`;
  // An open phrase or range would swallow the parentheses.
  const closing = closingOf(unclosed.at(-1));
  const insert = `${closing}${')'.repeat(unclosed.length)}`;
  const title = unclosed.length === 1 ? 'Close it at the end' : 'Close them at the end';
  report('unclosed-group', first.open, message, () =>
    closing === undefined ? [] : [{ title, edits: [{ from: end, to: end, insert }] }],
  );
}

/** The text that closes the last item of a group; undefined if that lacks more than its closing character. */
function closingOf(group: Group | undefined): string | undefined {
  const last = group?.parts.at(-1);
  // A backslash at the end would escape the parenthesis.
  if (last?.kind === 'Stray') return last.token.text === '\\' ? undefined : '';
  if (!last) return '';
  if (last.item.kind === 'Phrase')
    return last.item.term.kind === 'UnclosedQuoted' ? closePhrase(last.item.term) : '';
  if (last.item.kind !== 'Range' || last.item.close) return '';
  return closeRange(last.item)[0]?.edits[0]?.insert;
}

function checkLevel(parts: readonly Part[], report: Report): void {
  checkFirst(parts, report);
  let run = noRun;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part?.kind === 'Stray') {
      const isNew = run.to <= part.from;
      if (isNew) run = runAround(parts, index);
      // One finding is enough for a value whose quotes fix all of its strays.
      if (isNew || !run.isValue) checkStray(part, report, { parts, run });
    } else if (part) {
      if (part.item.kind === 'Missing') checkMissing(part, { parts, index }, report);
      if (part.item.kind === 'Group' && part.item.parts.length === 0)
        report('empty-group', part.item, 'A group requires something inside it', () =>
          removePart(parts, index),
        );
      checkClause(part, report);
    }
  }
}

function checkFirst(parts: readonly Part[], report: Report): void {
  const [first] = parts;
  if (first?.kind === 'Clause' && first.conjunction) {
    const { conjunction } = first;
    report('misplaced-operator', conjunction, `"${conjunction.text}" requires something before it`, () =>
      removeOperators(parts, 0),
    );
  }
}

/**
 * Removes the operators of a clause that joins nothing or has no item, with those behind it that would then be the
 * first of their level. None if nothing would be left.
 */
function removeOperators(parts: readonly Part[], index: number): Fix[] {
  let last: Token | undefined;
  let first: Token | undefined;
  for (const part of parts.slice(index)) {
    if (part.kind !== 'Clause') break;
    const { conjunction, modifier } = part;
    // Behind another clause the operators of the next one are in their place.
    if (first && (!conjunction || 0 < index)) break;
    const isOperator = isOperatorAlone(part);
    const end = isOperator ? (modifier ?? conjunction) : conjunction;
    first ??= conjunction ?? modifier;
    last = end ?? last;
    if (!isOperator) break;
  }
  if (!first || !last) return [];
  const isRest = index === 0 && parts.every((part) => part.kind === 'Clause' && part.item.kind === 'Missing');
  if (isRest) return [];
  const title = first === last ? `Remove "${first.text}"` : 'Remove the operators';
  return [{ title, edits: [{ from: first.from - first.before.length, to: last.to, insert: '' }] }];
}

/**
 * Removes a clause with its operators; the next one keeps its own, unless it becomes the first. None if nothing would be
 * left but operators: a group around it would be empty then.
 */
function removePart(parts: readonly Part[], index: number): Fix[] {
  const [before, part, after] = [parts[index - 1], parts[index], parts[index + 1]];
  const isRest = parts.every(
    (other) => other === part || (other.kind === 'Clause' && isOperatorAlone(other)),
  );
  if (!part || isRest) return [];
  const behind = after?.kind === 'Clause' ? (after.modifier ?? after.field ?? after.item) : after;
  const edit = before
    ? { from: before.to, to: part.to, insert: after?.from === part.to ? ' ' : '' }
    : { from: part.from, to: behind?.from ?? part.to, insert: '' };
  return [{ title: 'Remove it', edits: [edit] }];
}

/** Returns whether a clause is an operator with nothing behind it. */
function isOperatorAlone({ field, item }: Clause): boolean {
  return item.kind === 'Missing' && !field;
}

function checkMissing(
  clause: Clause,
  { parts, index }: { readonly parts: readonly Part[]; readonly index: number },
  report: Report,
): void {
  const next = parts[index + 1];
  const last = clause.field?.name ?? clause.modifier ?? clause.conjunction;
  // Too deep a group is something, and is reported itself.
  if (!last || (next?.kind === 'Stray' && next.token.kind === 'TooDeep' && next.token.text === '(')) return;
  if (!clause.field) {
    report('missing-operand', last, `"${last.text}" requires something after it`, () =>
      removeOperators(parts, index),
    );
    return;
  }
  const message = `The field "${last.text}" requires a value after its colon`;
  if (!isSignedValue(next)) {
    report('missing-operand', clause.field, message);
    return;
  }
  const { text } = next.modifier;
  const [quoted, moved] = [quoteSigned(clause, next), moveOperator(clause, next)];
  // A sign before a digit is that of a number.
  const isNumber = next.item.kind === 'Word' && /^\d/.test(next.item.term.text);
  report(
    'missing-operand',
    clause.field,
    clause.modifier ? message : `${message}; "${text}" stands before the field, not after it`,
    () => (clause.modifier || isNumber ? [...quoted, ...moved] : [...moved, ...quoted]),
  );
}

/** Returns whether a field without a value is followed by one with an operator that stands before a field. */
function isSignedValue(next: Part | undefined): next is Clause & { modifier: Token } {
  if (next?.kind !== 'Clause' || next.item.kind === 'Missing') return false;
  return next.modifier !== undefined && !next.conjunction && !next.field;
}

/** A fix that takes a sign right behind the colon for a part of the word behind it. */
function quoteSigned(clause: Clause, { from, to, modifier, item }: Clause): Fix[] {
  const isSign = modifier?.text === '-' && modifier.from === clause.to && modifier.to === item.from;
  if (!isSign || item.kind !== 'Word' || 0 < item.suffixes.length) return [];
  const value = withoutEscapes(item.term.text).text;
  return [{ title: 'Put the value in quotes', edits: [{ from, to, insert: quote(`-${value}`) }] }];
}

/** A fix that puts an operator before the field of its value, or removes it where the field has one. */
function moveOperator(
  { modifier: own, field }: Clause,
  { modifier, item }: Clause & { modifier: Token },
): Fix[] {
  const removed = { from: modifier.from, to: item.from, insert: '' };
  if (own) return [{ title: `Remove "${modifier.text}"`, edits: [removed] }];
  const insert = modifier.kind === 'Not' && modifier.text !== '!' ? `${modifier.text} ` : modifier.text;
  const from = field?.from ?? modifier.from;
  return [{ title: `Put ${modifier.text} before the field`, edits: [{ from, to: from, insert }, removed] }];
}

const strayMessages: ReadonlyMap<string, string> = new Map([
  [':', 'A clause names one field; a second colon belongs in quotes'],
  ['/', 'A "/" begins a regular expression, which is not closed; a path belongs in quotes'],
  ['\\', 'A "\\" at the end of the text escapes nothing'],
  ['^', 'A "^" requires a number right after it'],
  [')', 'This parenthesis closes nothing'],
  [']', 'This bracket closes no range'],
  ['}', 'This brace closes no range'],
]);

function checkStray({ token }: Stray, report: Report, { parts, run }: Surroundings): void {
  if (token.kind === 'TooDeep') {
    report('too-deep', token, `Groups can be nested ${maxDepth} deep; this parenthesis is beyond that`);
    return;
  }
  const message =
    strayMessages.get(token.text) ?? `"${token.text}" has nothing before it that it can apply to`;
  report('unexpected-text', token, message, () => [
    ...(run.isValue ? [quoteFix(run.parts)] : []),
    ...(isRemovable(token, { parts, run }) ? removal(token, parts) : []),
  ]);
}

/** Returns whether something is left without a stray token, and no other one that this finding stands for. */
function isRemovable(token: Token, { parts, run }: Surroundings): boolean {
  const others = (run.isValue ? run.parts : parts).filter(
    (part) => part.kind !== 'Stray' || part.token !== token,
  );
  if (run.isValue && others.some(({ kind }) => kind === 'Stray')) return false;
  return parts.some((part) => part.kind === 'Clause' && (part.field || part.item.kind !== 'Missing'));
}

/** The parts of the level of a stray token, and the run that it belongs to. */
interface Surroundings {
  readonly parts: readonly Part[];
  readonly run: Run;
}

/**
 * A fix that removes a stray token and the white space before it, with the operators behind it that would then be the
 * first of their level. None if nothing would be left.
 */
function removal({ from, to, before, text }: Token, parts: readonly Part[]): Fix[] {
  const title = `Remove "${text}"`;
  const edit = { from: from - before.length, to, insert: '' };
  const [first, next] = parts;
  const isJoined =
    first?.kind === 'Stray' && first.from === from && next?.kind === 'Clause' && next.conjunction;
  if (!isJoined) return [{ title, edits: [edit] }];
  return removeOperators(parts.slice(1), 0).map((operators) => ({
    title: `${title} and ${operators.title.replace(/^Remove /, '')}`,
    edits: [{ ...edit, to: operators.edits[0]?.to ?? to }],
  }));
}

/** A run of parts without a blank between them. */
interface Run {
  readonly parts: readonly Part[];
  readonly to: number;
  /** True if the run may be one value that requires quotes: a time, a path. */
  readonly isValue: boolean;
}

const noRun: Run = { parts: [], to: 0, isValue: false };

/** The run of parts around a stray token. */
function runAround(parts: readonly Part[], index: number): Run {
  let first = index;
  while (touches(parts[first - 1], parts[first])) first -= 1;
  let last = index;
  while (touches(parts[last], parts[last + 1])) last += 1;
  const stray = parts[index];
  const run = parts.slice(first, last + 1);
  const cutsValue = stray?.kind === 'Stray' && ':/\\'.includes(stray.token.text);
  const isValue =
    cutsValue &&
    !isPatternOfFields(run) &&
    run.every((part) => part.kind === 'Stray' || quotable(part, part === run[0]));
  return { parts: run, to: parts[last]?.to ?? 0, isValue };
}

/** Returns whether a run begins with a pattern and a colon, as in `log*:x`, which was meant for several fields. */
function isPatternOfFields([head, next]: readonly Part[]): boolean {
  if (head?.kind !== 'Clause' || head.field || head.item.kind !== 'Wildcard') return false;
  return next?.kind === 'Stray' && next.token.text === ':';
}

/**
 * A fix that quotes a run. The operators and the field of its first clause stay outside; a field
 * that looks like a URL scheme or a drive letter goes inside.
 */
function quoteFix(run: readonly Part[]): Fix {
  const [head, next] = run;
  const from = head?.kind === 'Clause' ? startOfValue(head, next) : (head?.from ?? 0);
  const tokens = run.flatMap((part) => tokensOf(part)).filter((token) => from <= token.from);
  const value = tokens.map((token, index) => (index === 0 ? '' : token.before) + token.text).join('');
  return {
    title: 'Put the value in quotes',
    edits: [{ from, to: tokens.at(-1)?.to ?? from, insert: quote(value) }],
  };
}

/** The start of a possible value: behind the operators, unless the run is one operator alone. */
function startOfValue(clause: Clause, next: Part | undefined): number {
  const { conjunction, modifier, field, item } = clause;
  // No field begins with a digit, but a time does.
  if (field) return /^\d/.test(field.name.text) || isAddress(clause, next) ? field.from : item.from;
  return item.kind === 'Missing' ? (modifier ?? conjunction ?? item).from : item.from;
}

function isAddress({ item }: Clause, next: Part | undefined): boolean {
  if (item.kind === 'Regexp') return item.term.text.startsWith('//');
  if (item.kind === 'Word') return item.term.text.startsWith('\\');
  return item.kind === 'Missing' && next?.kind === 'Stray' && next.token.text === '/';
}

function quotable({ conjunction, modifier, item }: Clause, isHead: boolean): boolean {
  if (!isHead && (conjunction || modifier)) return false;
  // A "?" in an address is meant as it is; a wildcard on purpose has no colon or slash beside it.
  return ['Word', 'Wildcard', 'Regexp', 'Missing'].includes(item.kind);
}

function touches(left: Part | undefined, right: Part | undefined): boolean {
  return left !== undefined && right !== undefined && left.to === right.from;
}

function checkClause({ field, item }: Clause, report: Report): void {
  if (field) checkEscapes(field.name, report);
  switch (item.kind) {
    case 'Word':
    case 'Wildcard':
    case 'Regexp':
      // The engine resolves escapes before it recognises a pattern.
      checkEscapes(item.term, report);
      return;
    case 'Phrase':
      checkPhrase(item, report);
      return;
    case 'Range':
      checkRange(item, report);
      return;
    case 'Group':
      checkLevel(item.parts, report);
      return;
    case 'Missing':
      return;
  }
}

function checkPhrase({ term }: Phrase, report: Report): void {
  if (term.kind === 'UnclosedQuoted') {
    const mark = { from: term.from, to: term.from + 1 };
    report('unclosed-phrase', mark, 'This quotation mark is not closed', () => [
      { title: 'Close it at the end', edits: [{ from: term.to, to: term.to, insert: closePhrase(term) }] },
    ]);
  }
  checkEscapes(term, report);
}

/** The text that closes a phrase, with a backslash for one that would escape the quotation mark. */
function closePhrase({ text }: Token): string {
  const [backslashes = ''] = /\\*$/.exec(text) ?? [];
  return backslashes.length % 2 === 0 ? '"' : '\\"';
}

function checkRange(range: Range, report: Report): void {
  for (const bound of [range.lower, range.upper]) {
    if (bound) checkEscapes(bound.term, report);
  }
  const { lower, upper, separator, strays, close } = range;
  if (lower && upper && separator && close && strays.length === 0) return;
  // Further behind it would separate nothing.
  if (!separator && upper?.term.text === 'to') {
    const { from, to } = upper.term;
    report('broken-range', upper.term, 'The "TO" of a range is written in upper case', () => [
      { title: 'Change to TO', edits: [{ from, to, insert: 'TO' }], isSafe: true },
    ]);
    return;
  }
  const blanks = separator ? [] : tokensOf(range).filter(({ text }) => rangeBlanks.test(text));
  const [blank] = blanks;
  if (blank) {
    const message = 'Inside a range only the space separates, not a tab or another blank';
    report('broken-range', blank, message, () => blanksToSpaces(range, blanks));
    return;
  }
  report('broken-range', range, rangeMessage(range), () => [...closeRange(range), ...separateBounds(range)]);
}

/** A fix that puts spaces for other blanks, or TO if there is none yet. */
function blanksToSpaces(range: Range, blanks: readonly Token[]): Fix[] {
  const spaced = (text: string) => text.replaceAll(/(?<!\\)[\t\r\n\u3000]+/g, ' ');
  if (!isSeparated.test(spaced(textBetween(range)))) return separateBounds(range);
  const edits = blanks.map(({ from, to, text }) => ({ from, to, insert: spaced(text) }));
  return [{ title: 'Change to spaces', edits, isSafe: true }];
}

/** Two bounds with TO between them. */
const isSeparated = /^ *(?:"[^"]+"|[^ "][^ ]*) +TO +(?:"[^"]+"|[^ "][^ ]*) *$/;

/** A fix for a closed range that has something else than TO between its two bounds: blanks, a comma, dots, a hyphen. */
function separateBounds(range: Range): Fix[] {
  const { open, close } = range;
  if (!close || tokensOf(range).some(({ kind }) => kind === 'RangeTo')) return [];
  const text = textBetween(range);
  const [, lower, upper] = otherSeparator.exec(text) ?? numbersByHyphen.exec(text) ?? [];
  if (lower === undefined || upper === undefined) return [];
  const isHyphen = !otherSeparator.test(text);
  // A month, as in "2024-01", is one bound.
  if (isHyphen && Number(upper) < Number(lower)) return [];
  const edit = { from: open.to, to: close.from, insert: `${lower} TO ${upper}` };
  return [{ title: 'Make it a range', edits: [edit] }];
}

// A bound has no two dots side by side, so that no run of dots is tried at each of its places.
const otherSeparator =
  /^\s*("[^"\\]+"|(?:[^\s"\\,;…–—.]|\.(?!\.))+?)(?:\s+(?:-|to)\s+|\s*(?:,|;|\.{2,}|…|–|—)\s*|\s+)("[^"\\]+"|(?:[^\s"\\,;…–—.]|\.(?!\.))+)\s*$/i;
const numbersByHyphen = /^\s*(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)\s*$/;

/** The text of a range between its brackets, up to the end if it is not closed. */
function textBetween(range: Range): string {
  const { open, close } = range;
  const end = close?.from ?? range.to;
  const tokens = tokensOf(range).filter(({ from, to }) => open.to <= from && to <= end);
  return tokens.map(({ before, text }) => before + text).join('');
}

/** White space that separates clauses, and in a range belongs to the bound. An escaped one is meant as such. */
const rangeBlanks = /(?<!\\)[\t\r\n\u3000]/;

function rangeMessage({ lower, separator, strays, close }: Range): string {
  if (!close) return 'This range is not closed';
  const [stray] = strays;
  if (separator && stray) return `"${stray.text}" is one bound too many; a range has two`;
  if (!separator && lower) return 'A range requires "TO" between its two bounds';
  return 'A range requires two bounds, as in "[1 TO 5]"; an open end is "*"';
}

function closeRange({ open, upper, separator, strays, to }: Range): Fix[] {
  // A range that lacks only its bracket has this one fix.
  if (!upper || !separator || 0 < strays.length) return [];
  return [{ title: 'Close it', edits: [{ from: to, to, insert: open.text === '[' ? ']' : '}' }] }];
}

const escapeMessages = {
  truncated: 'A "\\u" requires four hexadecimal digits; the text ends before them',
  'not-hexadecimal': 'A "\\u" requires four hexadecimal digits',
  'nothing-escaped': 'A "\\" requires a character after it',
} as const;

function checkEscapes(token: Token, report: Report): void {
  if (!token.text.includes('\\')) return;
  // The engine removes the quotes of a bound before it resolves escapes.
  const margin = token.kind === 'RangeQuoted' ? 1 : 0;
  const escaped = token.text.slice(margin, token.text.length - margin);
  const { error } = withoutEscapes(escaped);
  if (!error) return;
  const from = token.from + margin + error.at;
  const to = error.kind === 'nothing-escaped' ? from + 1 : Math.min(token.to - margin, from + 6);
  report('bad-escape', { from, to }, escapeMessages[error.kind], () => [
    { title: 'Escape the backslash', edits: doubledBackslashes(escaped, token.from + margin) },
  ]);
}

/** Edits that double each backslash of a text that escapes nothing. `start` is the offset of the text. */
function doubledBackslashes(text: string, start: number): Edit[] {
  const edits: Edit[] = [];
  for (let position = 0; ; ) {
    const { error } = withoutEscapes(text.slice(position));
    if (!error) return edits;
    const from = start + position + error.at;
    edits.push({ from, to: from, insert: '\\' });
    position += error.at + 1;
  }
}
