import {
  type ClassSet,
  characterClass,
  classSet,
  extendingClasses,
  isInClassSet,
} from './character-class.ts';
import { classAt, classTable, skipClasses } from './class-table.ts';
import { codePointAt, codePointWidth, isHighSurrogate } from './code-point.ts';
import { wordEnd } from './word.ts';

/** The maximum length of a token: the engine's window in UTF-16 units. */
export const longestToken = 255;

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
export function tokenBounds(text: string): readonly number[] {
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
