import { expect, test } from 'vitest';
import { placeAt } from '../../src/language/assist/complete.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';

test.each<
  [marked: string, replaced: string, wants: string, field: string, inGroup: boolean, hasDistance: boolean]
>([
  ['a |', '', 'join not', '', false, false],
  ['a| b', 'a', 'field known not', '', false, false],
  ['|a b', '', 'field known not', '', false, false],
  ['a |b', '', 'join not', '', false, false],
  ['(a) |', '', 'join not', '', false, false],
  ['(a)|', '', 'join not', '', false, false],
  // The number may go on.
  ['(a)^2|', '', '', '', false, false],
  ['[1 TO 2]|', '', 'join not', '', false, false],
  ['"a"|', '', 'join not', '', false, false],
  ['"a" |', '', 'join not', '', false, false],
  ['a AND |', '', 'field known not', '', false, false],
  ['a AND| b', 'AND', 'join', '', false, false],
  // One NOT is all there can be.
  ['a NOT |', '', 'field known', '', false, false],
  ['NOT |', '', 'field known', '', false, false],
  ['a ^|', '', '', '', false, false],
  ['a ^ |', '', 'join not', '', false, false],
  ['(a |', '', 'join not end', '', false, false],
  // A parenthesis here would leave out what follows.
  ['(a | b', '', 'join not', '', false, false],
  ['(a) (b |', '', 'join not end', '', false, false],
  ['msg:|', '', 'value form', 'msg', false, false],
  ['msg:a|', 'a', 'value', 'msg', false, false],
  ['msg:(a|', 'a', 'value not', 'msg', true, false],
  ['msg:"a b|', '"a b', 'value', 'msg', false, false],
  ['msg:a|~1', 'a', 'value', 'msg', false, true],
  ['msg:a|^1', 'a', 'value', 'msg', false, true],
  ['msg:[|', '', 'bound', 'msg', false, false],
  ['msg:[1 |', '', 'to', '', false, false],
  ['msg:[1| TO 2]', '1', 'bound', 'msg', false, false],
  ['msg:[1 TO |', '', 'bound', 'msg', false, false],
  ['msg:[1 TO 2 3|]', '', '', '', false, false],
  ['a A|ND b', 'AND', 'join', '', false, false],
  ['a && |b', '', 'field known not', '', false, false],
  ['a &&| b', '', '', '', false, false],
  ['a NO|T b', 'NOT', 'not', '', false, false],
  ['a NOT| b', 'NOT', 'not', '', false, false],
  ['a |NOT b', '', 'join not', '', false, false],
  ['a AND NOT| b', 'NOT', 'not', '', false, false],
  ['a AND |NOT b', '', 'field known', '', false, false],
  ['a -|b', '', 'field known', '', false, false],
  ['a |-b', '', 'join not', '', false, false],
  ['-| ', '', '', '', false, false],
  ['a b|', 'b', 'field known join not', '', false, false],
  ['a AND b|', 'b', 'field known not', '', false, false],
  ['a NOT b|', 'b', 'field known', '', false, false],
  ['(a) | (b', '', 'join not', '', false, false],
  ['((a |) b', '', 'join not', '', false, false],
  ['(a)|^2', '', '', '', false, true],
  ['[1 TO 2]^2|', '', '', '', false, false],
  ['/a|/', '', '', '', false, false],
  ['/a/|', '', '', '', false, false],
  [': a|', '', '', '', false, false],
  ['a ) |b', '', 'join not', '', false, false],
  ['a )b|', '', '', '', false, false],
  ['a |\u3000b', '', 'join not', '', false, false],
  // The name of a field, up to its colon.
  ['|msg:a', '', 'field known not', '', false, false],
  ['a |msg:b', '', 'join not', '', false, false],
  ['a AND |msg:b', '', 'field known not', '', false, false],
  ['a AND msg|:b', 'msg', 'name', '', false, false],
  ['NOT |msg:a', '', 'field known', '', false, false],
  ['NOT ms|g:a', 'msg', 'name', '', false, false],
  ['msg |:a', '', '', '', false, false],
  // Text behind the colon is replaced only where it is a word or a phrase.
  ['msg:|a', 'a', 'value', 'msg', false, false],
  ['msg:| a', '', 'value', 'msg', false, false],
  ['msg:|"a b"', '"a b"', 'value', 'msg', false, false],
  ['msg:|/a/', '', 'value', 'msg', false, false],
  ['msg:|(a)', '', 'value', 'msg', false, false],
  ['msg:|[1 TO 2]', '', 'value', 'msg', false, false],
  ['log*:a|', '', '', '', false, false],
  ['msg:(a b| c)', 'b', 'value join not', 'msg', true, false],
  ['msg:a b|~', 'b', 'field known join not', '', false, true],
  // A quote that is open is closed where that makes sense of the rest.
  ['msg:"a b| AND c', '"a b', 'value', 'msg', false, false],
  ['msg:"a| b" c', '"a b"', 'value', 'msg', false, false],
  ['msg:"a|b c" d"', '"ab c"', 'value', 'msg', false, false],
  ['msg:"a" AND msg:"b| c', '"b', 'value', 'msg', false, false],
  // The ends of a range, and what is between them.
  ['msg:|[ ]', '', 'value', 'msg', false, false],
  ['msg:[ |]', '', 'bound', 'msg', false, false],
  ['msg:[]|', '', 'join not', '', false, false],
  ['msg:[|1 TO 2]', '1', 'bound', 'msg', false, false],
  ['msg:[| 1 TO 2]', '', '', '', false, false],
  ['msg:[1| 2]', '1', 'bound', 'msg', false, false],
  ['msg:[1 |]', '', 'to', '', false, false],
  ['msg:[1 |2]', '', 'to', '', false, false],
  ['msg:[1 | 2]', '', 'to', '', false, false],
  ['msg:[1 T|]', 'T', 'to', '', false, false],
  ['msg:[1 T|', 'T', 'to', '', false, false],
  ['msg:[1 T| 2]', '', '', '', false, false],
  ['msg:[1 | TO 2]', '', '', '', false, false],
  ['msg:[1 TO| 2]', '', '', '', false, false],
  ['msg:[1 TO |2]', '2', 'bound', 'msg', false, false],
  ['msg:[1 TO 2|]', '2', 'bound', 'msg', false, false],
  ['msg:[1 TO  |  2]', '', '', '', false, false],
  ['msg:[1 TO 2 |]', '', '', '', false, false],
  ['msg:[1 TO 2 |', '', 'close', '', false, false],
  ['msg:[|1 TO 2 3]', '', '', '', false, false],
])('what can stand in %s', (marked, replaced, wants, field, inGroup, hasDistance) => {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const place = placeAt(text, cursor, documentedSchema);
  expect([text.slice(place.from, place.to), place.wants.join(' '), place.field?.name ?? '']).toEqual([
    ...[replaced, wants, field],
  ]);
  expect([place.inGroup, place.hasDistance]).toEqual([inGroup, hasDistance]);
});

test.each([
  ['mes|sage:x', 'mes'],
  [String.raw`a\ b|`, 'a b'],
  ['msg:"a b|', 'a b'],
  ['msg:"a| b"', 'a'],
  ['msg:["a b|" TO 2]', 'a b'],
  [String.raw`msg:[1 TO "a\"b|"]`, 'a"b'],
  ['a AN|D b', 'AN'],
])('in front of the cursor of %s is written %s', (marked, written) => {
  const cursor = marked.indexOf('|');
  expect(placeAt(marked.replace('|', ''), cursor, documentedSchema).written).toBe(written);
});
