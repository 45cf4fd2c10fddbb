import { expect, test } from 'vitest';
import { placeAt } from '../../src/meaning/complete/place.ts';
import { documentedSchema } from '../../src/meaning/fields.ts';

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
])('what can stand in %s', (marked, replaced, wants, field, inGroup, hasDistance) => {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const place = placeAt(text, cursor, documentedSchema);
  expect([text.slice(place.from, place.to), place.wants.join(' '), place.field?.name ?? '']).toEqual([
    ...[replaced, wants, field],
  ]);
  expect([place.inGroup, place.hasDistance]).toEqual([inGroup, hasDistance]);
});
