import { classRuns } from './class-runs.ts';

/** A token and its span in the text, in UTF-16 offsets. */
export interface TokenSpan {
  readonly term: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the tokens of a text, in order and in lower case, as the engine's standard analyzer without stop
 * words. See section 4 of the language specification. The position of a token
 * is its index: the analyzer leaves no gaps.
 *
 * One difference is deliberate. For a text that ends in the first half of a surrogate pair, the
 * engine loses its last buffer, up to 255 units. This function loses nothing. No text in UTF-8
 * ends that way.
 *
 * ```ts
 * analyze('at com.vendor.Foo(Foo.java:42)'); // ['at', 'com.vendor.foo', 'foo.java', '42']
 * ```
 */
export function analyze(text: string): readonly string[] {
  const lower = lowerCase(text);
  const bounds = tokenBounds(text);
  const tokens: string[] = [];
  for (let i = 0; i < bounds.length; i += 2) tokens.push(lower.slice(bounds[i], bounds[i + 1]));
  return tokens;
}

/**
 * Returns the tokens of `analyze` with their spans, for a highlighter.
 *
 * ```ts
 * analyzeSpans('foo-bar').map(({ term }) => term); // ['foo', 'bar']
 * ```
 */
export function analyzeSpans(text: string): readonly TokenSpan[] {
  const lower = lowerCase(text);
  const bounds = tokenBounds(text);
  const spans: TokenSpan[] = [];
  for (let i = 0; i < bounds.length; i += 2) {
    const from = bounds[i] ?? 0;
    const to = bounds[i + 1] ?? 0;
    spans.push({ term: lower.slice(from, to), from, to });
  }
  return spans;
}

/**
 * Converts a text to lower case, code point by code point, like the engine's filter; the length
 * stays the same. `toLowerCase` alone depends on the context of a capital sigma, and makes two
 * code points of İ. Letters newer than Unicode 9.0 depend on the host, but occur in no token.
 */
export function lowerCase(text: string): string {
  return text.replace(/[\u0130\u03a3]/g, (capital) => (capital === '\u0130' ? 'i' : '\u03c3')).toLowerCase();
}

/** Returns whether a code point may occur in a token: no other than this one in lower case, and none between words. */
export function occursInTokens(codePoint: number): boolean {
  if ((classTable()[codePoint] ?? other) === other) return false;
  const character = String.fromCodePoint(codePoint);
  return lowerCase(character) === character;
}

/** The maximum length of a token: the engine's window in UTF-16 units. */
const longestToken = 255;

/**
 * The character classes of the analyzer, as small numbers.
 *
 * Each character is in exactly one class, although the underlying properties overlap: a Thai vowel
 * sign, for example, both extends a word (Word_Break=Extend) and starts one (Line_Break=SA).
 */
export const characterClass = {
  /** Never in a token: spaces, most punctuation, everything unassigned in Unicode 9.0. */
  other: 0,
  letter: 1,
  hebrewLetter: 2,
  number: 3,
  katakana: 4,
  /** `_` and similar characters (Word_Break=ExtendNumLet). */
  joiner: 5,
  /** `:` and similar characters. */
  midLetter: 6,
  /** `,` `;` and similar characters. */
  midNumber: 7,
  /** `.` and similar characters: between letters and between numbers. */
  midBoth: 8,
  singleQuote: 9,
  doubleQuote: 10,
  /** A character of a script without spaces between words: Thai, Lao, Myanmar, Khmer, … */
  complex: 11,
  /** A Han or Hiragana character, a token by itself. */
  ideograph: 12,
  emoji: 13,
  /** An emoji that takes a skin tone. */
  emojiBase: 14,
  /** An emoji that is a letter as well, for example Ⓜ. */
  emojiLetter: 15,
  /** A skin tone. */
  emojiModifier: 16,
  /** One of the letters that make a flag in pairs. */
  regionalIndicator: 17,
  /** `#` and `*`. The digits, which make keycaps too, are numbers. */
  keycapBase: 18,
  /** A combining mark or format character. This class and all later ones extend the preceding character. */
  extend: 19,
  complexExtend: 20,
  zeroWidthJoiner: 21,
  /** U+20E3, the keycap around a digit. */
  keycap: 22,
  /** U+FE0E, which selects the text style. */
  textStyle: 23,
  /** U+FE0F, which selects the emoji style. */
  emojiStyle: 24,
  /** The letters of a tag sequence, for example in the flag of Wales. */
  tag: 25,
  tagEnd: 26,
} as const;

const {
  other,
  joiner,
  zeroWidthJoiner,
  letter,
  hebrewLetter,
  number,
  katakana,
  emojiLetter,
  emoji,
  emojiBase,
  emojiModifier,
  regionalIndicator,
  keycapBase,
  complex,
  complexExtend,
  ideograph,
} = characterClass;

/**
 * The classes that are never separated from the preceding character (rule WB4 of Unicode Standard
 * Annex 29).
 */
const extendingClasses: ClassSet = classSet(
  'extend',
  'complexExtend',
  'zeroWidthJoiner',
  'keycap',
  'textStyle',
  'emojiStyle',
  'tag',
  'tagEnd',
);

const complexRun = classSet('complex') | extendingClasses;
const wordLead = classSet('joiner') | extendingClasses;
const wordStart = classSet('letter', 'hebrewLetter', 'number', 'katakana', 'emojiLetter');
const emojiLead = classSet('zeroWidthJoiner');
const emojiStart = classSet('emoji', 'emojiBase', 'emojiLetter');

/**
 * Returns the bounds of the tokens of a text: the start and the end of each in turn, in UTF-16
 * offsets.
 *
 * At each position the longest token is taken; where there is none, one character is skipped. A
 * token longer than 255 units ends at the last position within them where a token may end, and the
 * next one starts there. The time is linear in the length of any text.
 */
function tokenBounds(text: string): readonly number[] {
  const classes = classTable();
  const bounds: number[] = [];
  // Joiners alone are no token: a long run of them is scanned once, not again from each of them.
  let noWordBefore = 0;
  let noEmojiBefore = 0;
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    const code = unit < 0xd800 ? unit : codePointAt(text, at);
    const found = classes[code] ?? 0;
    let barren = found === other;
    if (found === joiner) {
      if (at >= noWordBefore) noWordBefore = firstStart(text, at, wordLead, wordStart);
      barren = at < noWordBefore;
    } else if (found === zeroWidthJoiner) {
      if (at >= noEmojiBefore) noEmojiBefore = firstStart(text, at, emojiLead, emojiStart);
      barren = at < noEmojiBefore;
    }
    const end = barren ? at : tokenEnd(text, at, found);
    if (end > at) bounds.push(at, end);
    // The second half of a surrogate pair is in no token, and is skipped like any character.
    at = Math.max(end, at + 1);
  }
  return bounds;
}

/**
 * The earliest start of a token within a run that is no token by itself. One more character must
 * fit into the window, so the start lies near the end of the run. It is the end itself if no
 * `start` character follows.
 */
function firstStart(text: string, from: number, run: ClassSet, start: ClassSet): number {
  const end = skipClasses(text, from, text.length, run);
  if (!isInClassSet(start, classAt(text, end, text.length))) return end;
  return Math.max(from, end + codePointWidth(codePointAt(text, end)) - longestToken);
}

/**
 * The end of the longest token that starts at `from` with a character of the class `found`; `from`
 * if there is none.
 */
function tokenEnd(text: string, from: number, found: number): number {
  const limit = windowEnd(text, from);
  switch (found) {
    case letter:
    case hebrewLetter:
    case number:
    case katakana:
    case joiner:
      return wordEnd(text, from, limit);
    case emojiLetter:
      return Math.max(wordEnd(text, from, limit), emojiEnd(text, from, limit));
    case emoji:
    case emojiBase:
    case emojiModifier:
    case zeroWidthJoiner:
      return emojiEnd(text, from, limit);
    case regionalIndicator:
      return flagEnd(text, from, limit);
    case keycapBase:
      return keycapEnd(text, from, limit);
    case complex:
    case complexExtend:
      return skipClasses(text, from, limit, complexRun);
    case ideograph:
      return skipClasses(text, from + codePointWidth(codePointAt(text, from)), limit, extendingClasses);
    default:
      return from;
  }
}

/** The end of the window on the text at `from`. The engine does not let it split a surrogate pair. */
function windowEnd(text: string, from: number): number {
  const end = from + longestToken;
  if (end >= text.length) return text.length;
  return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}

const pictures = classSet('emoji', 'emojiBase', 'emojiLetter');
const zeroWidthJoiners = classSet('zeroWidthJoiner');
const tags = classSet('tag');

/** In an emoji the style selectors are no ordinary marks: they end the preceding element. */
const marks = extendingClasses & ~classSet('textStyle', 'emojiStyle');

/**
 * The end of an emoji sequence that starts at `from` with a picture, joiners before one, or a skin
 * tone; at most `limit`. This is `emoji_sequence` of Unicode Technical Standard 51, version 11.0,
 * as in the engine: marks may follow each character, and joiners may precede a picture.
 */
function emojiEnd(text: string, from: number, limit: number): number {
  let end = elementEnd(text, from, limit);
  const tagged = tagsEnd(text, end, limit);
  if (tagged > end) return tagged;
  for (let next = joinedEnd(text, end, limit); next > end; next = joinedEnd(text, end, limit)) end = next;
  return end;
}

/** The end of a flag, which is two regional indicators; `from` if there is no second one. */
function flagEnd(text: string, from: number, limit: number): number {
  const second = skipClasses(text, after(text, from), limit, extendingClasses);
  if (classAt(text, second, limit) !== characterClass.regionalIndicator) return from;
  return skipClasses(text, after(text, second), limit, extendingClasses);
}

/** The end of the keycap of `#` or `*`; `from` if there is none. The engine accepts more than one keycap. */
function keycapEnd(text: string, from: number, limit: number): number {
  const marked = skipClasses(text, after(text, from), limit, marks);
  const styled =
    classAt(text, marked, limit) === characterClass.emojiStyle &&
    classAt(text, marked + 1, limit) === characterClass.keycap;
  if (styled) return skipClasses(text, marked + 1, limit, marks);
  return text.slice(from, marked).includes('\u20e3') ? marked : from;
}

/** The end of one picture with its style or skin tone, or of a skin tone alone. */
function elementEnd(text: string, from: number, limit: number): number {
  const picture = skipClasses(text, from, limit, zeroWidthJoiners);
  const found = classAt(text, picture, limit);
  if (found === characterClass.emojiModifier && picture === from) return markedEnd(text, from, limit);
  if (!isInClassSet(pictures, found)) return from;
  const marked = markedEnd(text, picture, limit);
  const next = classAt(text, marked, limit);
  if (next === characterClass.emojiStyle) return marked + 1;
  const toned = found === characterClass.emojiBase && next === characterClass.emojiModifier;
  return toned ? markedEnd(text, marked, limit) : marked;
}

/** The end of the tags of a picture, which follow its style; `from` if they are unfinished. */
function tagsEnd(text: string, from: number, limit: number): number {
  const end = skipClasses(text, from, limit, tags);
  const finished = end > from && classAt(text, end, limit) === characterClass.tagEnd;
  return finished ? after(text, end) : from;
}

/**
 * The end of the next element if a joiner leads to it, which may be the last mark of the element
 * before; otherwise `from`.
 */
function joinedEnd(text: string, from: number, limit: number): number {
  const joinerAhead = classAt(text, from, limit) === characterClass.zeroWidthJoiner;
  if (!joinerAhead && text[from - 1] !== '\u200d') return from;
  const element = joinerAhead ? from + 1 : from;
  const end = elementEnd(text, element, limit);
  return end > element ? end : from;
}

/** The end of the character at `from` and its marks. */
function markedEnd(text: string, from: number, limit: number): number {
  return skipClasses(text, after(text, from), limit, marks);
}

function after(text: string, at: number): number {
  return at + codePointWidth(codePointAt(text, at));
}

export type ClassName = keyof typeof characterClass;

/** The names of the classes. The object above has no other keys. */
const classNames = Object.keys(characterClass) as readonly ClassName[];

/** A set of classes, one bit for each. */
type ClassSet = number;

/** Makes a set of classes. */
function classSet(...names: readonly ClassName[]): ClassSet {
  return names.reduce((set, name) => set | (1 << characterClass[name]), 0);
}

/** Returns whether a set contains a class, given by its number. */
function isInClassSet(set: ClassSet, found: number): boolean {
  return ((set >>> found) & 1) === 1;
}

let table: Uint8Array | undefined;

/**
 * The class of every code point, indexed by it. Unpacked on the first call, so loading the module
 * costs nothing.
 */
function classTable(): Uint8Array {
  table ??= unpack(classRuns);
  return table;
}

/** The class of the character at `at`, or `other` from `limit` on. */
function classAt(text: string, at: number, limit: number): number {
  return at < limit ? (classTable()[codePointAt(text, at)] ?? 0) : characterClass.other;
}

/** The end of the run of characters of these classes that starts at `from`, at most `limit`. */
function skipClasses(text: string, from: number, limit: number, set: ClassSet): number {
  const classes = classTable();
  let at = from;
  while (at < limit) {
    const code = codePointAt(text, at);
    if (!isInClassSet(set, classes[code] ?? 0)) break;
    at += codePointWidth(code);
  }
  return at;
}

/** Each run is the class as a character (`@` is 0, `A` is 1, …) and the length in base 36, omitted for 1. */
function unpack(runs: string): Uint8Array {
  const classes = new Uint8Array(0x110000);
  let at = 0;
  for (const [, letter = '@', length] of runs.matchAll(/([@-Z])([0-9a-z]*)/g)) {
    const end = at + (length ? Number.parseInt(length, 36) : 1);
    classes.fill(letter.charCodeAt(0) - 0x40, at, end);
    at = end;
  }
  return classes;
}

/** The code point at `at`, which must lie in the text. An unpaired surrogate is its own code point. */
function codePointAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return isHighSurrogate(unit) ? (text.codePointAt(at) ?? unit) : unit;
}

/** Returns whether a UTF-16 unit is the first half of a surrogate pair. */
function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

/** The number of UTF-16 units of a code point. */
export function codePointWidth(code: number): 1 | 2 {
  return code > 0xffff ? 2 : 1;
}

/** The states of a word. Up to `quoted` the characters read are a word; from `start` on they are not yet. */
const stateNames = [
  'letter',
  'hebrew',
  'number',
  'katakana',
  'joined',
  // After a Hebrew letter with its quote, or two of them with a double quote between.
  'quoted',
  'start',
  'lead',
  'letterMid',
  'numberMid',
  'hebrewMid',
] as const;

type State = (typeof stateNames)[number];
type Moves = { readonly [name in ClassName]?: State };

const toLetter: Moves = { letter: 'letter', emojiLetter: 'letter', hebrewLetter: 'hebrew' };
const toAlphanumeric: Moves = { ...toLetter, number: 'number', joiner: 'joined' };
const toAny: Moves = { ...toAlphanumeric, katakana: 'katakana' };
const toLetterMid: Moves = { midLetter: 'letterMid', midBoth: 'letterMid', singleQuote: 'letterMid' };
const toNumberMid: Moves = { midNumber: 'numberMid', midBoth: 'numberMid', singleQuote: 'numberMid' };

/**
 * The transitions of each state; any other class ends the word. They are rules WB5 to WB13b of
 * Unicode Standard Annex 29 as in the engine, which is stricter about Hebrew. A letter after a mid
 * letter takes no quote, and one after a quote neither a quote nor a mid letter.
 */
const moves: Readonly<Record<State, Moves>> = {
  letter: { ...toAlphanumeric, ...toLetterMid },
  hebrew: { ...toAlphanumeric, ...toLetterMid, singleQuote: 'quoted', doubleQuote: 'hebrewMid' },
  number: { ...toAlphanumeric, ...toNumberMid },
  katakana: { katakana: 'katakana', joiner: 'joined' },
  joined: toAny,
  quoted: toAlphanumeric,
  start: { ...toAny, joiner: 'lead' },
  lead: { ...toAny, joiner: 'lead' },
  letterMid: { ...toLetter, hebrewLetter: 'letter' },
  numberMid: { number: 'number' },
  hebrewMid: { hebrewLetter: 'quoted' },
};

/**
 * The transitions as one table with a row for each state and a column for each class. A state is
 * the offset of its row; 0 is the end.
 */
const rowLength = 32;
const wordTable = layOut();
const start = rowOf('start');
const lastWord = rowOf('quoted');

/** The table, for readers of other input than strings. A word may end in states up to `lastWord`. */
const wordMoves = { table: wordTable, rowLength, start, lastWord } as const;

/** The end of the longest word that starts at `from`, at most `limit`; `from` if there is none. */
function wordEnd(text: string, from: number, limit: number): number {
  const classes = classTable();
  let state = start;
  let at = from;
  let end = from;
  while (at < limit) {
    // Nearly every character is one unit below the surrogates, and needs no look at the next one.
    const unit = text.charCodeAt(at);
    const code = unit < 0xd800 ? unit : codePointAt(text, at);
    state = wordTable[state + (classes[code] ?? 0)] ?? 0;
    if (state === 0) break;
    at += codePointWidth(code);
    if (state <= lastWord) end = at;
  }
  return end;
}

function layOut(): Uint16Array {
  const rows = new Uint16Array((stateNames.length + 1) * rowLength);
  for (const state of stateNames) {
    for (const name of classNames) {
      // A mark changes nothing (rule WB4).
      const next = isInClassSet(extendingClasses, characterClass[name]) ? state : moves[state][name];
      if (next) rows[rowOf(state) + characterClass[name]] = rowOf(next);
    }
  }
  return rows;
}

function rowOf(state: State): number {
  return (stateNames.indexOf(state) + 1) * rowLength;
}

/**
 * A state machine for the tokens of ASCII text, for readers of bytes. At each position the longest
 * word is taken; where there is none, one character is skipped.
 */
export interface AsciiWords {
  /** For each state 128 entries: the next state for a character, or 0 where the word ends. */
  readonly moves: Uint8Array;
  /** The initial state. */
  readonly start: number;
  /** The last accepting state; text in a later state is a word only together with what follows. */
  readonly lastWord: number;
  /** The maximum length of a word, in characters. */
  readonly longest: number;
}

const characters = 128;

/** Returns the state machine of ASCII words that `analyze` implies. */
export function asciiWords(): AsciiWords {
  const { table, rowLength, start, lastWord } = wordMoves;
  const classes = classTable();
  const states = table.length / rowLength;
  const moves = Uint8Array.from({ length: states * characters }, (_, index) => {
    const row = Math.floor(index / characters) * rowLength;
    return (table[row + (classes[index % characters] ?? 0)] ?? 0) / rowLength;
  });
  return { moves, start: start / rowLength, lastWord: lastWord / rowLength, longest: longestToken };
}
