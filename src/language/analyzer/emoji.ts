import { characterClass, classSet, extendingClasses, isInClassSet } from './character-class.ts';
import { classAt, skipClasses } from './class-table.ts';
import { codePointAt, codePointWidth } from './code-point.ts';

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
export function emojiEnd(text: string, from: number, limit: number): number {
  let end = elementEnd(text, from, limit);
  const tagged = tagsEnd(text, end, limit);
  if (tagged > end) return tagged;
  for (let next = joinedEnd(text, end, limit); next > end; next = joinedEnd(text, end, limit)) end = next;
  return end;
}

/** The end of a flag, which is two regional indicators; `from` if there is no second one. */
export function flagEnd(text: string, from: number, limit: number): number {
  const second = skipClasses(text, after(text, from), limit, extendingClasses);
  if (classAt(text, second, limit) !== characterClass.regionalIndicator) return from;
  return skipClasses(text, after(text, second), limit, extendingClasses);
}

/** The end of the keycap of `#` or `*`; `from` if there is none. The engine accepts more than one keycap. */
export function keycapEnd(text: string, from: number, limit: number): number {
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
