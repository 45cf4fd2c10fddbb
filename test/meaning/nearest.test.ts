import { expect, test } from 'vitest';
import { nearestNames, nearestWords } from '../../src/language/meaning/nearest.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';

const fields = [...documentedSchema.fields.keys()];

test.each([
  ['levle', ['level']],
  ['LEVEL', ['level']],
  ['levl', ['level']],
  ['leevl', ['level']],
  ['lvl', []],
  ['warn', []],
  ['', []],
  ['level'.repeat(20), []],
])('%s is near %j', (word, expected) => {
  expect(nearestWords(word, ['level', 'message', 'source'])).toEqual(expected);
});

test('the nearest come first, three at most', () => {
  expect(nearestWords('abcdef', ['abcdxx', 'abcdef', 'abcdex', 'abcxef'])).toEqual([
    'abcdef',
    'abcdex',
    'abcxef',
  ]);
});

test('the more letters an edit costs, the fewer words are near', () => {
  expect(nearestWords('mapserve', ['mapserver', 'gpserver'])).toEqual(['mapserver']);
  expect(nearestWords('naserver', ['gpserver'], 5)).toEqual([]);
  expect(nearestWords('naserver', ['gpserver'])).toEqual(['gpserver']);
});

test.each([
  ['level', ['logLevel']],
  ['levle', ['logLevel']],
  ['loglevel', ['logLevel']],
  ['message', ['msg']],
  ['timestamp', ['time']],
  ['user', ['username']],
  ['code', ['logCode']],
  ['class', ['className']],
  ['method', ['methodName']],
  ['requestId', ['requestID']],
  ['stackTrace', ['stackTraces']],
  ['services', ['serviceTypes']],
  ['id', []],
  ['foo', []],
  ['host', []],
  // Its letters are in "message" in their order, but not its first one.
  ['sge', []],
  [`time${'x'.repeat(60)}`, ['time']],
  [`time${'x'.repeat(61)}`, []],
])('the name %s is near %j', (word, expected) => {
  expect(nearestNames(word, fields)).toEqual(expected);
});
