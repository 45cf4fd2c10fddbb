import { expect, test } from 'vitest';
import { escapeXml, isXmlText, readXml, unescapeXml } from '../../src/protocol/xml.ts';
import { processorTime } from '../processor-time.ts';

const limits = { characters: 1_000_000 };
const read = (text: string) => readXml(text, limits);
const leaf = (name: string, text: string, more: object = {}) => ({
  name,
  namespace: '',
  attributes: [],
  text,
  children: [],
  ...more,
});
const attribute = (name: string, value: string, namespace = '') => ({ name, namespace, value });

test.each([
  ['<a>1</a>', leaf('a', '1')],
  ['<?xml version="1.0"?>\n<a/>\n', leaf('a', '')],
  ['\uFEFF<a>1</a>', leaf('a', '1')],
  ['<x:a xmlns:x="urn:x">1</x:a>', leaf('a', '1', { namespace: 'urn:x' })],
  ['<a xmlns="urn:x"/>', leaf('a', '', { namespace: 'urn:x' })],
  ['<a xmlns="urn:&amp;"/>', leaf('a', '', { namespace: 'urn:&' })],
  ['<x:a/>', leaf('a', '')],
  [
    '<a xmlns="urn:x" xmlns:y="urn:y" y:b="1" b=" &lt;2" c="&#51;"/>',
    leaf('a', '', {
      namespace: 'urn:x',
      attributes: [attribute('b', '1', 'urn:y'), attribute('b', ' <2'), attribute('c', '3')],
    }),
  ],
  [
    '<a xmlns="urn:x"><b xmlns="" xml:lang="de"><c/></b><d/></a>',
    leaf('a', '', {
      namespace: 'urn:x',
      children: [
        leaf('b', '', {
          attributes: [attribute('lang', 'de', 'http://www.w3.org/XML/1998/namespace')],
          children: [leaf('c', '')],
        }),
        leaf('d', '', { namespace: 'urn:x' }),
      ],
    }),
  ],
  ['<a><!-- <!DOCTYPE x> -->1</a>', leaf('a', '1')],
  ['<a><![CDATA[<!DOCTYPE x>&amp;]]></a>', leaf('a', '<!DOCTYPE x>&amp;')],
  ['<a> &lt;&#65;&#x42;&gt; </a>', leaf('a', ' <AB> ')],
  ['<a xsi:type="b">1</a>', leaf('a', '1', { attributes: [attribute('type', 'b')] })],
  ['<a>1<b> </b>2</a>', leaf('a', '12', { children: [leaf('b', ' ')] })],
  ['<a>1\r\n2\r</a>', leaf('a', '1\n2\n')],
])('%j', (text, element) => {
  expect(read(text)).toEqual(element);
});

const entities = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><a>&c;</a>';

test.each([
  [entities, 'declares a document type'],
  ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'declares a document type'],
  ['<!doctype a><a/>', 'declares a document type'],
  ['<a><!DOCTYPE a [<!ENTITY b "c">]>&b;</a>', 'declares a document type'],
  ['<!-- --><!ENTITY b "c"><a/>', 'declares a document type'],
  ['<a>&b;</a>', 'a reference that XML does not define'],
  ['<a>&nbsp;</a>', 'a reference that XML does not define'],
  ['<a b="&c;"/>', 'a reference that XML does not define'],
  ['<a>&#0;</a>', 'a reference that XML does not define'],
  ['<a>&#x110000;</a>', 'a reference that XML does not define'],
  ['<a>&constructor;&__proto__;</a>', 'a reference that XML does not define'],
  ['', 'no well-formed XML'],
  ['text', 'no well-formed XML'],
  ['<a>', 'no well-formed XML'],
  ['<a></b>', 'no well-formed XML'],
  ['<a/>text', 'no well-formed XML'],
  ['<a>b & c</a>', 'no well-formed XML'],
  ['<a/><b/>', 'one root element'],
  ['<__proto__/>', 'no well-formed XML'],
  [`${'<a>'.repeat(40)}${'</a>'.repeat(40)}`, 'nests deeper than 32 levels'],
])('%j is refused', (text, problem) => {
  expect(read(text)).toEqual({ problem: expect.stringContaining(problem) });
});

test('a text over the limit is refused before it is read', () => {
  expect(readXml('<a>12</a>', { characters: 8 })).toEqual({ problem: 'it is longer than 8 characters' });
});

test.each([
  ['open comments', '<a>'.concat('<!--'.repeat(250_000))],
  ['open sections', '<a>'.concat('<![CDATA['.repeat(110_000))],
  ['open elements', '<a>'.repeat(330_000)],
  ['open instructions', '<a>'.concat('<?'.repeat(490_000))],
  ['references', `<a>${'&amp;'.repeat(190_000)}</a>`],
  ['ampersands', `<a>${'&'.repeat(990_000)}</a>`],
  ['attributes', `<a ${'x="1" '.repeat(160_000)}/>`],
  ['one long name', `<${'a'.repeat(990_000)}>`],
])('a megabyte of %s is read or refused in a moment', async (_, text) => {
  // Some tens of milliseconds; work that grows with the square takes minutes.
  expect(await processorTime(() => read(text))).toBeLessThan(5000);
});

test('a character that XML cannot carry is replaced, and nothing else is', () => {
  expect(isXmlText('tab\t, line\n, \u{1F600}')).toBe(true);
  for (const character of ['\0', '\b', '\u001F', '\uFFFE', '\uD800']) {
    expect(isXmlText(`a${character}`)).toBe(false);
    expect(unescapeXml(escapeXml(`a${character}b`))).toBe('a\uFFFDb');
  }
});
