import {
  type ClassName,
  characterClass,
  classNames,
  extendingClasses,
  isInClassSet,
} from './character-class.ts';
import { classTable } from './class-table.ts';
import { codePointAt, codePointWidth } from './code-point.ts';

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
const table = layOut();
const start = rowOf('start');
const lastWord = rowOf('quoted');

/** The table, for readers of other input than strings. A word may end in states up to `lastWord`. */
export const wordMoves = { table, rowLength, start, lastWord } as const;

/** The end of the longest word that starts at `from`, at most `limit`; `from` if there is none. */
export function wordEnd(text: string, from: number, limit: number): number {
  const classes = classTable();
  let state = start;
  let at = from;
  let end = from;
  while (at < limit) {
    // Nearly every character is one unit below the surrogates, and needs no look at the next one.
    const unit = text.charCodeAt(at);
    const code = unit < 0xd800 ? unit : codePointAt(text, at);
    state = table[state + (classes[code] ?? 0)] ?? 0;
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
