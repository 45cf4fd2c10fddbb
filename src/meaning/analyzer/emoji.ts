import { characterClass, classSet, extendingClasses, isInClassSet } from './character-class.ts';
import { classAt, skipClasses } from './class-table.ts';
import { codePointAt, codePointWidth } from './code-point.ts';

const pictures = classSet('emoji', 'emojiBase', 'emojiLetter');
const zeroWidthJoiners = classSet('zeroWidthJoiner');
const tags = classSet('tag');

/** In an emoji the style selectors are no marks like others: they end what they follow. */
const marks = extendingClasses & ~classSet('textStyle', 'emojiStyle');

/**
 * Where the emoji sequence ends that starts at `from` with a picture, joiners
 * before one, or a skin tone, as far as it fits before `limit`. This is
 * `emoji_sequence` of Unicode Technical Standard 51, version 11.0, as the engine
 * has it: marks may follow each character, and joiners may stand before a picture.
 */
export function emojiEnd(text: string, from: number, limit: number): number {
  let end = elementEnd(text, from, limit);
  const tagged = tagsEnd(text, end, limit);
  if (tagged > end) return tagged;
  for (let next = joinedEnd(text, end, limit); next > end; next = joinedEnd(text, end, limit)) end = next;
  return end;
}

/** Where the flag ends, which is two regional indicators; `from` when there is no second one. */
export function flagEnd(text: string, from: number, limit: number): number {
  const second = skipClasses(text, after(text, from), limit, extendingClasses);
  if (classAt(text, second, limit) !== characterClass.regionalIndicator) return from;
  return skipClasses(text, after(text, second), limit, extendingClasses);
}

/** Where the key of `#` or `*` ends; `from` when the character is on no key. The engine takes more than one key. */
export function keycapEnd(text: string, from: number, limit: number): number {
  const marked = skipClasses(text, after(text, from), limit, marks);
  const styled =
    classAt(text, marked, limit) === characterClass.emojiStyle &&
    classAt(text, marked + 1, limit) === characterClass.keycap;
  if (styled) return skipClasses(text, marked + 1, limit, marks);
  return text.slice(from, marked).includes('\u20e3') ? marked : from;
}

/** Where one picture of a sequence ends, with its style or its skin tone, or a skin tone alone. */
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

/** Where the tags of a picture end, which follow its style; `from` when they are not finished. */
function tagsEnd(text: string, from: number, limit: number): number {
  const end = skipClasses(text, from, limit, tags);
  const finished = end > from && classAt(text, end, limit) === characterClass.tagEnd;
  return finished ? after(text, end) : from;
}

/** Where the next element ends when a joiner leads to it, which may be the last mark of the element before; `from` when none does. */
function joinedEnd(text: string, from: number, limit: number): number {
  const joinerAhead = classAt(text, from, limit) === characterClass.zeroWidthJoiner;
  if (!joinerAhead && text[from - 1] !== '\u200d') return from;
  const element = joinerAhead ? from + 1 : from;
  const end = elementEnd(text, element, limit);
  return end > element ? end : from;
}

/** Where the character at `from` ends with its marks. */
function markedEnd(text: string, from: number, limit: number): number {
  return skipClasses(text, after(text, from), limit, marks);
}

function after(text: string, at: number): number {
  return at + codePointWidth(codePointAt(text, at));
}
