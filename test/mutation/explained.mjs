const typed = 'The types require the check: the value is always there, or of that kind';
const asked = 'A rule that is asked about more clauses or levels finds nothing about them';
const faster = 'The long way gives the same answer as the short one';
const beyond = 'One place more holds nothing, and is passed over';
const estimate = 'The effort is an estimate: another one ends a search a little earlier or later';
const unlike = 'Keys of different nodes stay different';
const unasked = 'Only phrases and patterns are matched here, which ask for terms alone';

/**
 * Survivors that no test can kill, by file and code. Each has its code in one line
 * and the reason, then the replacements unless all of them are meant.
 */
export const explained = {
  'src/language/assist/complete.ts': {
    "insert.replace(/[\\p{L}\\p{N}_]+/gu, 'x') + ending": [faster],
    '/[\\p{L}\\p{N}_]+/gu': [faster],
  },
  'src/language/assist/place.ts': {
    '/^[A-Z]/': ['Only an operator of letters has a capital'],
  },
  'src/language/lint/conflicting-values.ts': {
    "typeof a === 'string'": [typed, 'false'],
    'required.length < 2': [faster, 'false'],
    '1 < members.length': [faster, '1 <= members.length'],
    '!field': [typed, 'false'],
    '[]': [typed],
    'joint?.kind': [typed],
  },
  'src/language/lint/contradiction.ts': {
    'level.counts.mustNot === 0': [faster, 'false'],
    true: [asked],
  },
  'src/language/lint/depends-on-type.ts': {
    '[]': [typed],
    "clause.item.kind !== 'Range'": [typed, 'true'],
  },
  'src/language/lint/empty-range.ts': {
    "!second && field?.type !== 'text' && field?.type !== 'keyword'": [asked],
    '!second': [asked],
    "field?.type !== 'keyword'": [asked],
    "clause.item.kind === 'Range'": [typed, 'true'],
    'lower?.term': [typed],
    'upper?.term': [typed],
    "asked?.kind === 'range'": [typed, 'true'],
    "written?.kind === 'Clause'": [typed, 'true'],
    '[]': [typed],
  },
  'src/language/lint/field-without-colon.ts': { 'found?.kind': [asked] },
  'src/language/lint/remove-clauses.ts': { '[]': [typed], '!first || !last': [typed, 'false'] },
  'src/language/lint/lone-comparison.ts': { '[]': [typed] },
  'src/language/lint/loose-not.ts': { true: [asked] },
  'src/language/lint/loose-words.ts': {
    '(fields) => fields.some(isProse)': [asked],
    '!first || !last': [typed],
    '!first || !last || !head.field': [typed, 'false'],
    "item.kind !== 'Word'": [typed, 'false'],
  },
  'src/language/lint/lost-backslash.ts': { "!token.text.includes('\\\\')": [faster, 'false'] },
  'src/language/lint/mixed-operators.ts': {
    "conjunction === 'and'": [typed, 'true'],
    "0 < place && conjunction === 'and'": [typed],
  },
  'src/language/lint/not-among-words.ts': { true: [asked] },
  'src/language/lint/optional-part.ts': { 'run[0]?.from': [typed] },
  'src/language/lint/part-of-dotted-name.ts': {
    "('A' <= first && first <= 'Z') || first === '\\\\'": [faster, 'true'],
    "'A' <= first": [faster, 'true'],
    'text === undefined || !/^[A-Z][A-Za-z0-9_$]+$/.test(text)': [typed],
  },
  'src/language/lint/range-on-text.ts': {
    'one < other': ['From a value to itself either order is the same', 'one <= other'],
    '-1': [typed, '+1'],
    '1 < fields.length': [asked, 'false'],
  },
  'src/language/lint/refused-syntax.ts': {
    "item.kind === 'Group' || item.kind === 'Range'": [typed, 'true'],
  },
  'src/language/lint/repeated-part.ts': { true: [asked] },
  'src/language/lint/slash-pair.ts': { "part.kind === 'Clause'": [typed, 'true'] },
  'src/language/lint/typographic-apostrophe.ts': { "item.kind !== 'Word'": [typed, 'false'] },
  'src/language/lint/unknown-field.ts': {
    'fields.length === 0': [asked, 'true'],
    "head?.kind === 'Clause'": [typed, 'true'],
    'head.field?.name': [typed],
  },
  'src/language/lint/unknown-value.ts': {
    '[]': [typed],
    "item.kind === 'Word'": [faster, 'true'],
    "value?.as === 'exact'": [typed, 'true'],
  },
  'src/language/lint/value-type.ts': {
    '!second && field !== undefined && holdsNumbers(field)': [asked, 'true'],
  },
  'src/language/lint/asked-values.ts': {
    "fieldFilterOf(item)?.(verbatim, { defaultOperator: 'or', now: 0, engine, })": [typed],
  },
  'src/language/lint/bare-ranges.ts': { '0 < index': [faster, 'true'] },
  'src/language/lint/level.ts': {
    "part.kind === 'Clause'": [typed, 'true'],
    "first?.kind === 'Clause' && leavesToken(first.item)": [faster, 'false'],
    'at < parts.length': [beyond, 'at <= parts.length'],
  },
  'src/language/lint/loose-not-view.ts': {
    "level.members.find(({ modifier }) => modifier === 'not')?.clauses": [typed],
  },
  'src/language/lint/number-interval.ts': {
    'a.from !== undefined': ['No number is less than none', 'true'],
    "type === 'text'": [typed, 'false'],
    'b.from < a.from': ['Of two equal ends either is the end', 'b.from <= a.from'],
    'a.to < b.to': ['Of two equal ends either is the end', 'a.to <= b.to'],
  },
  'src/language/lint/ordinary-view.ts': { '[]': [typed] },
  'src/language/lint/pasted.ts': { 'run.at(-1)?.to': [typed] },
  'src/language/lint/query-of-parts.ts': {
    "{ kind: 'End', before: '', text: '', from: to, to }": [
      'Nothing reads the end of a query that is resolved',
    ],
  },
  'src/language/lint/query-view.ts': { "bare?.kind === 'Clause'": [typed, 'true'] },
  'src/language/lint/repetitions.ts': {
    'place < members.length': [faster, 'place <= members.length'],
    '8 < members.length': [faster],
    '8 < asked.length': [faster],
    'areOfAKind(one, members[before])': [faster, 'true'],
    "(one.item.kind === 'Group') === (other?.clauses[0].item.kind === 'Group')": [faster, 'true'],
    'isSaidAgain(asked[before], asked[place])': [faster, 'true'],
    'before?.named === again?.named && before?.saying === again?.saying': [faster, 'true'],
    'other?.clauses': [typed],
    'before?.named': [typed],
    'again?.saying': [typed],
    'place < asked.length': [beyond, 'place <= asked.length'],
  },
  'src/language/lint/target-lookup.ts': { known: [faster, 'false'], found: [faster, 'false'] },
  'src/language/lint/terms.ts': {
    '/^"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*"$/': [faster],
    "item.kind !== 'Word' && item.kind !== 'Phrase'": [typed, 'false'],
  },
  'src/language/lint/too-many-clauses.ts': {
    "{ let count = 0; for (const part of parts) { if (part.kind === 'Stray') continue; const { item } = part; if (item.kind === 'Group') { count += bound(item.parts, context); } else { const words = item.kind === 'Word' && !isPlainText(item.term.text) ? item.term.text.length : 1; count += words * Math.max(1, context.targets(part).fields.length); } } return count; }":
      [faster, '{}'],
  },
  'src/language/lint/readings.ts': {
    'ands === members.length - 1 || ands + nots + pluses === 0': [faster, 'false'],
    'isWhollySound(level, context) && areAlikeAlways(level, context)': [faster, 'false'],
  },
  'src/language/logic/compare.ts': {
    '1 + costOfMatch(leaf, tokensIn(values[leaf.field.name]))': [estimate],
    "{ return typeof value === 'string' ? 1 + value.length / 4 : 1; }": [estimate],
    "filter.kind === 'all' || filter.kind === 'none'": [estimate, 'true'],
    '{ if (!(error instanceof TooComplex)) throw error; return undefined; }': [
      'A comparison throws no other error',
    ],
  },
  'src/language/logic/comparison-problem.ts': {
    '(a, b) => a.order - b.order': ['Diagrams of any order of the variables say the same'],
    'a.order - b.order': ['Diagrams of any order of the variables say the same'],
  },
  'src/language/logic/diagram.ts': {
    'node <= root': ['The cost of the root itself is not asked for', 'node < root'],
    'a < b': [unlike],
    'b * radix': [unlike],
    'low * radix': [unlike],
    'low === tooLargeNode': ['Such a diagram is full, and makes no node', 'false'],
  },
  'src/language/logic/filter-key.ts': { '-0': ['Zeros keep keys of their own', '+0'] },
  'src/language/logic/find-log.ts': {
    'round < maxRounds': ['One attempt more or less', 'round <= maxRounds'],
  },
  'src/language/logic/interval.ts': {
    'default: return undefined;': ['It returns nothing either', 'default:'],
  },
  'src/language/logic/leaf-match.ts': {
    true: [unasked],
    '() => true': [unasked],
    'other.terms.some((term) => !own.has(term))': [faster, 'other.terms.every(term => !own.has(term))'],
  },
  'src/language/logic/line-theory.ts': {
    true: [unasked],
    "typeof value === 'string'": [unasked],
    "() => (typeof value === 'string' ? undefined : value)": [unasked],
    'end <= first': ['Nothing has reached the beginning and not the end of an empty interval', 'false'],
  },
  'src/language/logic/pattern-samples.ts': {
    "{ state: 0, text: '' }": [typed],
    '[]': [typed],
  },
  'src/language/logic/realise-tokens.ts': {
    'costOfToken + Math.max(...gaps)': [estimate],
    '(sum, { length }) => sum + length': [estimate],
    'tokens.length * (costOfToken + parts.rests.length)': [estimate],
  },
  'src/language/logic/term-samples.ts': {
    'from === to': [faster, 'false'],
    'all.filter((prefix) => length - prefix <= places || prefix <= places)': [faster, 'all'],
  },
  'src/language/logic/text-theory.ts': { 'other !== phrase': ['A phrase implies itself', 'true'] },
  'src/language/automata/java-float.ts': {
    '/(?<=[\\d.])[fFdD]$/': ['The number has no such letter but its last', '/(?<=[\\d.])[fFdD]/'],
  },
  'src/language/automata/fuzzy.ts': {
    '1 <= similarity': ['One edit is a whole number', '1 < similarity'],
    'edits === 0': [faster, 'false'],
    '2 * (wanted.length + edits) < text.length': [faster, 'false'],
    'edits < Math.abs(found.length - wanted.length)': [faster, 'false'],
    'edits < Math.min(...own)': [faster, 'false'],
  },
  'src/language/automata/heap.ts': {
    '0 < at': [beyond, '0 <= at'],
    'moved === undefined': ['An empty heap has no items left either', 'false'],
  },
  'src/language/automata/sloppy-phrase.ts': {
    '[]': [typed],
    '!moved': [typed, 'false'],
    'a.start < b.start': ['Equal starts are compared before', 'a.start <= b.start'],
    'next < moved.start': [
      'The queue gives the same term back, which moves on',
      'true',
      'next <= moved.start',
    ],
  },
  'src/language/automata/token-sequence.ts': {
    'terms.length < prepared': [faster, 'false', 'terms.length <= prepared'],
    'tokens.length < terms.length': [faster, 'false'],
    'at < terms.length': [beyond, 'at <= terms.length'],
    found: [faster, 'false'],
  },
};
