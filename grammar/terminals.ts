import type { TokenKind } from '../src/language/parse/tree.ts';

/** The shape of each token that the engine accepts, in the notation of the grammar. */
export const terminals: Readonly<Partial<Record<TokenKind, string>>> = {
  And: '"AND" | "&&"',
  Or: '"OR" | "||"',
  Not: '"NOT" | "!"',
  Plus: '"+"',
  Minus: '"-"',
  Bare: '( "+" | "-" | "!" ) blank',
  Open: '"("',
  Close: '")"',
  Field: '( Term | "*" ) ? in front of a Colon, and not behind one ?',
  Colon: '":"',
  Star: '"*"',
  Term: 'start { start | "+" | "-" } ? that is none of AND && OR || NOT ?',
  Prefix: 'start { start | "+" | "-" } "*"',
  Wildcard: '( start | "*" | "?" ) { start | "+" | "-" | "*" | "?" } ? that is no Term, Prefix or Star ?',
  Regexp: '"/" { ? any character but / ? | "\\/" } "/"',
  Quoted: "'\"' { ? any character but \\ and the quotation mark ? | escape } '\"'",
  Tilde: '"~" { start | "+" | "-" }',
  Boost: '"^" digit { digit } [ "." digit { digit } ]',
  RangeOpen: '"[" | "{"',
  RangeTo: '"TO"',
  RangeQuoted: "'\"' inside { inside } '\"'",
  RangeBound: 'outside { outside }',
  RangeClose: '"]" | "}"',
  End: '? the end of the text ?',
};

/** The parts that tokens are made of. */
export const pieces: Readonly<Record<string, string>> = {
  start: 'escape | ? any character but a blank, the quotation mark and + - ! ( ) : ^ [ ] { } ~ * ? \\ / ?',
  escape: '"\\u" hex hex hex hex | "\\" ? any other character ?',
  inside: '? any character but \\ and the quotation mark ? | escape',
  outside: 'escape ? of none of space, ] and } ? | ? any character but \\, space, ] and } ?',
  blank:
    '? space, tab, line feed, carriage return or U+3000; in a range the others must have a space or a bracket on both sides ?',
  digit: '"0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9"',
  hex: 'digit | "a" | "b" | "c" | "d" | "e" | "f" | "A" | "B" | "C" | "D" | "E" | "F"',
};
