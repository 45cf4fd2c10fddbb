import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'a word behind a field',
    `
msg:connection refused
               ^^^^^^^ "refused" is not asked of "msg": a field is for one word, phrase or group
  Put the phrase in quotes: msg:"connection refused"
  Put the words in parentheses: msg:(connection refused)`,
  ],
  [
    'several',
    `
msg:connection refused by peer AND logLevel:SEVERE
               ^^^^^^^^^^^^^^^ "refused", "by" and "peer" are not asked of "msg": a field is for one word, phrase or group
  Put the phrase in quotes: msg:"connection refused by peer" AND logLevel:SEVERE
  Put the words in parentheses: msg:(connection refused by peer) AND logLevel:SEVERE`,
  ],
  [
    'excluded',
    `
NOT source:Rest Catalog
                ^^^^^^^ "Catalog" is not asked of "source": a field is for one word, phrase or group
  Put the phrase in quotes: NOT source:"Rest Catalog"
  Put the words in parentheses: NOT source:(Rest Catalog)`,
  ],
  [
    'up to what looks like an operator',
    `
msg:disk full and slow
         ^^^^ "full" is not asked of "msg": a field is for one word, phrase or group
  Put the phrase in quotes: msg:"disk full" and slow
  Put the words in parentheses: msg:(disk full) and slow`,
  ],
  [
    'in a group',
    `
(msg:a b)
       ^ "b" is not asked of "msg": a field is for one word, phrase or group
  Put the phrase in quotes: (msg:"a b")
  Put the words in parentheses: (msg:(a b))`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('loose-words', drawing);
});

test.each([
  'msg:"connection refused"',
  'msg:(a b)',
  'msg:a AND b',
  'msg:a OR b',
  'logLevel:SEVERE timeout',
  'logCode:9003 timeout',
  'msg:a msg:b',
  'nosuch:a b',
  'msg:“a b”',
  'msg:a NOT b',
  'msg:a "b"',
])('%s is in order', (text) => {
  checkNone('loose-words', text);
});

test.each(['msg:“a” b', 'msg:"a b" c', 'logLevel:SEVERE a'])('%s is in order too', (text) => {
  checkNone('loose-words', text);
});
