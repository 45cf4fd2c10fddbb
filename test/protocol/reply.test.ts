import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstWords, parseReplyText, replyFormatOf } from '../../src/protocol/reply.ts';

describe('what a reply turns out to be', () => {
  test.each([
    ['{"status":"SUBMITTED"}', { kind: 'json', body: { status: 'SUBMITTED' } }],
    ['\uFEFF[]', { kind: 'json', body: [] }],
    [
      '{"error":{"code":499,"message":"Token Required."}}',
      { kind: 'failure', failure: { code: 499, message: 'Token Required.', details: [] } },
    ],
    ['<!DOCTYPE html><html><head><title>Sign\n In</title></head></html>', { kind: 'html', title: 'Sign In' }],
    ['\n<html><body><h1 class="x">502 Bad Gateway</h1></body>', { kind: 'html', title: '502 Bad Gateway' }],
    ['<html></html>', { kind: 'html', title: '' }],
    ['upstream connect error', { kind: 'other', start: 'upstream connect error' }],
    ['{"status":"SUBM', { kind: 'other', start: '{"status":"SUBM' }],
    ['', { kind: 'other', start: '' }],
  ])('%j', (text, reply) => {
    expect(parseReplyText(text)).toEqual(reply);
  });

  test('JSON that nests without end is none, and brackets in texts do not nest', () => {
    const deep = `${'[{"a":'.repeat(1_000_000)}1${'}]'.repeat(1_000_000)}`;
    expect(parseReplyText(deep)).toMatchObject({ kind: 'other' });
    const flat = [`\\"${'['.repeat(5000)}\\`, ']'];
    expect(parseReplyText(JSON.stringify(flat))).toEqual({ kind: 'json', body: flat });
    expect(parseReplyText(JSON.stringify('['.repeat(1_000_000)))).toMatchObject({ kind: 'json' });
  });

  test('no text makes it throw', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseReplyText(text).kind.length > 0));
  });
});

test('the first words hold no control characters and end somewhere', () => {
  expect(firstWords('  a\u001b[31m\tb\u0000\r\n c  ')).toBe('a [31m b c');
  expect(firstWords('x'.repeat(1000))).toBe(`${'x'.repeat(79)}…`);
  expect(firstWords('abcdef', 4)).toBe('abc…');
});

test.each([
  ['', 'html'],
  ['f=json', 'json'],
  ['f=pjson', 'pjson'],
  ['f=xml', undefined],
])('the form "%s" asks for %s', (form, format) => {
  expect(replyFormatOf(new URLSearchParams(form))).toBe(format);
});
