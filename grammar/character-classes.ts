import decimalNumber from '@unicode/unicode-9.0.0/General_Category/Decimal_Number/ranges.mjs';
import complexContext from '@unicode/unicode-9.0.0/Line_Break/Complex_Context/ranges.mjs';
import han from '@unicode/unicode-9.0.0/Script/Han/ranges.mjs';
import hiragana from '@unicode/unicode-9.0.0/Script/Hiragana/ranges.mjs';
import aLetter from '@unicode/unicode-9.0.0/Word_Break/ALetter/ranges.mjs';
import doubleQuote from '@unicode/unicode-9.0.0/Word_Break/Double_Quote/ranges.mjs';
import extend from '@unicode/unicode-9.0.0/Word_Break/Extend/ranges.mjs';
import extendNumLet from '@unicode/unicode-9.0.0/Word_Break/ExtendNumLet/ranges.mjs';
import format from '@unicode/unicode-9.0.0/Word_Break/Format/ranges.mjs';
import hebrewLetter from '@unicode/unicode-9.0.0/Word_Break/Hebrew_Letter/ranges.mjs';
import katakana from '@unicode/unicode-9.0.0/Word_Break/Katakana/ranges.mjs';
import midLetter from '@unicode/unicode-9.0.0/Word_Break/MidLetter/ranges.mjs';
import midNum from '@unicode/unicode-9.0.0/Word_Break/MidNum/ranges.mjs';
import midNumLet from '@unicode/unicode-9.0.0/Word_Break/MidNumLet/ranges.mjs';
import numeric from '@unicode/unicode-9.0.0/Word_Break/Numeric/ranges.mjs';
import regionalIndicator from '@unicode/unicode-9.0.0/Word_Break/Regional_Indicator/ranges.mjs';
import singleQuote from '@unicode/unicode-9.0.0/Word_Break/Single_Quote/ranges.mjs';
import zwj from '@unicode/unicode-9.0.0/Word_Break/ZWJ/ranges.mjs';
import { type ClassName, characterClass } from '../src/language/meaning/analyze.ts';
import { emojiModifier, emojiModifierBase, extendedPictographic } from './emoji-11.ts';

/** Code points from the first to the last, both included. */
interface Range {
  readonly first: number;
  readonly last: number;
}

/** A step of building the table: it assigns a class to characters. */
interface Step {
  readonly name: ClassName;
  readonly ranges: readonly Range[];
  /** The result for characters that have a class already; one without an entry is an error. */
  readonly over?: Partial<Record<ClassName, ClassName>>;
}

/**
 * The steps, from the Unicode properties in the engine's grammar. If a character has two
 * properties, `over` decides.
 */
const steps: readonly Step[] = [
  { name: 'letter', ranges: inclusive(aLetter) },
  { name: 'hebrewLetter', ranges: inclusive(hebrewLetter) },
  { name: 'number', ranges: inclusive(numeric) },
  // The engine counts the full-width digits as numbers, unlike Unicode.
  { name: 'number', ranges: inclusive(decimalNumber).filter(isHalfOrFullWidth) },
  { name: 'katakana', ranges: inclusive(katakana) },
  { name: 'joiner', ranges: inclusive(extendNumLet) },
  { name: 'midLetter', ranges: inclusive(midLetter) },
  { name: 'midNumber', ranges: inclusive(midNum) },
  { name: 'midBoth', ranges: inclusive(midNumLet) },
  { name: 'singleQuote', ranges: inclusive(singleQuote) },
  { name: 'doubleQuote', ranges: inclusive(doubleQuote) },
  { name: 'regionalIndicator', ranges: inclusive(regionalIndicator) },
  { name: 'extend', ranges: [...inclusive(extend), ...inclusive(format)] },
  { name: 'zeroWidthJoiner', ranges: inclusive(zwj) },
  { name: 'keycap', ranges: codes('20e3'), over: { extend: 'keycap' } },
  { name: 'textStyle', ranges: codes('fe0e'), over: { extend: 'textStyle' } },
  { name: 'emojiStyle', ranges: codes('fe0f'), over: { extend: 'emojiStyle' } },
  { name: 'tag', ranges: codes('e0020-e007e'), over: { extend: 'tag' } },
  { name: 'tagEnd', ranges: codes('e007f'), over: { extend: 'tagEnd' } },
  { name: 'complex', ranges: inclusive(complexContext), over: { extend: 'complexExtend' } },
  // Some marks of the Han script are letters, which may make longer tokens.
  { name: 'ideograph', ranges: [...inclusive(han), ...inclusive(hiragana)], over: { letter: 'letter' } },
  { name: 'keycapBase', ranges: codes('23 2a') },
  { name: 'emoji', ranges: codes(extendedPictographic), over: { letter: 'emojiLetter' } },
  { name: 'emojiBase', ranges: codes(emojiModifierBase), over: { emoji: 'emojiBase' } },
  { name: 'emojiModifier', ranges: codes(emojiModifier) },
];

/** The source text of the module `class-runs.ts`, which contains the class of each code point. */
export function characterClassModule(): string {
  const lines = runs(assignClasses()).match(/.{1,100}(?=[@-Z]|$)/g) ?? [];
  return `// Made by grammar/character-classes.ts. To make it anew: npx vitest run test/meaning/analyzer-classes.test.ts -u

/** The classes of the code points from 0 on: a character for the class, and how often it stands (base 36, 1 is left out). */
export const classRuns = \`
${lines.join('\n')}
\`;
`;
}

function assignClasses(): readonly ClassName[] {
  const classes = new Array<ClassName>(0x110000).fill('other');
  for (const { name, ranges, over = {} } of steps) {
    for (const { first, last } of ranges) {
      for (let code = first; code <= last; code++) {
        const before = classes[code] ?? 'other';
        const after = before === 'other' ? name : over[before];
        if (!after) throw new Error(`U+${code.toString(16)} is "${before}" and "${name}"`);
        classes[code] = after;
      }
    }
  }
  return classes;
}

/** Writes the classes in runs; what follows the last class is left out. */
function runs(classes: readonly ClassName[]): string {
  const end = classes.findLastIndex((name) => name !== 'other') + 1;
  let text = '';
  for (let from = 0, to = 0; from < end; from = to) {
    while (to < end && classes[to] === classes[from]) to++;
    const letter = String.fromCharCode(0x40 + characterClass[classes[from] ?? 'other']);
    text += to - from === 1 ? letter : letter + (to - from).toString(36);
  }
  return text;
}

function inclusive(ranges: readonly { readonly begin: number; readonly end: number }[]): readonly Range[] {
  return ranges.map(({ begin, end }) => ({ first: begin, last: end - 1 }));
}

function codes(text: string): readonly Range[] {
  return text
    .trim()
    .split(/\s+/)
    .map((item) => item.split('-').map((digits) => Number.parseInt(digits, 16)))
    .map(([first = 0, last = first]) => ({ first, last }));
}

function isHalfOrFullWidth({ first }: Range): boolean {
  return first >= 0xff00 && first <= 0xffef;
}
