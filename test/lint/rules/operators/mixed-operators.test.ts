import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'AND binds the part before it, not the whole list',
    `
a OR b AND c
       ^^^ AND and OR stand on one level; the server has no precedence and requires "b" and "c", and leaves "a" without effect
  Write what was probably meant: a OR (b AND c)
  Write what the server does: b AND c`,
  ],
  [
    'what comes after the last AND filters nothing',
    `
a AND b OR c
        ^^ AND and OR stand on one level; the server has no precedence and requires "a" and "b", and leaves "c" without effect
  Write what was probably meant: (a AND b) OR c
  Write what the server does: a AND b`,
  ],
  [
    'parts without an operator are joined by OR',
    `
a b AND c
    ^^^ AND and parts without an operator stand on one level; the server has no precedence and requires "b" and "c", and leaves "a" without effect
  Write what was probably meant: a OR (b AND c)
  Write what the server does: b AND c`,
  ],
  [
    'two ANDs make everything required',
    `
a AND b OR c AND d
        ^^ AND and OR stand on one level; the server has no precedence and requires "a", "b", "c" and "d"
  Write what was probably meant: (a AND b) OR (c AND d)
  Write what the server does: a AND b AND c AND d`,
  ],
  [
    'a NOT beside an AND is mixed with the word before it',
    `
a NOT b AND c
        ^^^ AND and parts without an operator stand on one level; the server has no precedence and requires "c", excludes "b", and leaves "a" without effect
  Write what was probably meant: a AND NOT b AND c
  Write what the server does: NOT b AND c`,
  ],
  [
    'NOT in an AND list excludes from all of it',
    `
a AND NOT b OR c
            ^^ AND and OR stand on one level; the server has no precedence and requires "a", excludes "b", and leaves "c" without effect
  Write what was probably meant: (a AND NOT b) OR c
  Write what the server does: a AND NOT b`,
  ],
  [
    'within a group',
    `
msg:(a OR b AND c) AND d
            ^^^ AND and OR stand on one level; the server has no precedence and requires "b" and "c", and leaves "a" without effect
  Write what was probably meant: msg:(a OR (b AND c)) AND d
  Write what the server does: msg:(b AND c) AND d`,
  ],
  [
    'groups inside are written out as well',
    `
(a OR b AND c) OR d AND e
        ^^^ AND and OR stand on one level; the server has no precedence and requires "b" and "c", and leaves "a" without effect
  Write what was probably meant: (a OR (b AND c)) OR d AND e
  Write what the server does: (b AND c) OR d AND e
                    ^^^ AND and OR stand on one level; the server has no precedence and requires "d" and "e", and leaves "(a OR b AND c)" without effect
  Write what was probably meant: (a OR (b AND c)) OR (d AND e)
  Write what the server does: d AND e`,
  ],
  [
    'of many parts a few are named',
    `
a OR b AND c AND d AND e AND f AND g
       ^^^ AND and OR stand on one level; the server has no precedence and requires "b", "c", "d" and 3 more, and leaves "a" without effect
  Write what was probably meant: a OR (b AND c AND d AND e AND f AND g)
  Write what the server does: b AND c AND d AND e AND f AND g`,
  ],
  [
    'runs of words stay together',
    `
a b OR c d AND e
           ^^^ AND and OR stand on one level; the server has no precedence and requires "d" and "e", and leaves "a", "b" and "c" without effect
  Write what was probably meant: a OR b OR c OR (d AND e)
  Write what the server does: d AND e`,
  ],
  [
    'with the example of the vendor, once its quotes are straight',
    `
("Updated Kubernetes Secret" AND logCode:1312) AND NOT logLevel:VERBOSE OR elapsed:[1.45195 TO 2.43]
                                                                        ^^ AND and OR stand on one level; the server has no precedence and requires "("Updated Kubernetes…" AND logCode:1312)", excludes "logLevel:VERBOSE", and leaves "elapsed:[1.45195 TO 2.43]" without effect
  Write what was probably meant: (("Updated Kubernetes Secret" AND logCode:1312) AND NOT logLevel:VERBOSE) OR elapsed:[1.45195 TO 2.43]
  Write what the server does: ("Updated Kubernetes Secret" AND logCode:1312) AND NOT logLevel:VERBOSE`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('mixed-operators', drawing);
});

test.each([
  [
    'the operators of programming languages are the same',
    `
a && b || c
       ^^ AND and OR stand on one level; the server has no precedence and requires "a" and "b", and leaves "c" without effect
  Write what was probably meant: (a AND b) OR c
  Write what the server does: a AND b`,
    { dialect: 'lucene' },
  ],
  [
    'a plus is not read away',
    `
+a AND b OR c
         ^^ AND and OR stand on one level; the server has no precedence and requires "a" and "b", and leaves "c" without effect
  Write what the server does: a AND b`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('mixed-operators', drawing, given);
});

test.each([
  'a',
  'a b c',
  'a AND b AND c',
  'a OR b OR c',
  '(a AND b) OR (c AND d)',
  'a AND NOT b AND c',
  'a AND (b OR c)',
  'a NOT b',
  'a AND a OR a',
  '(a AND b) c d',
  'a OR b AND',
  'a AND b :',
  '“a b” AND c',
  'elapsed > 5 AND a',
  'a OR NOT b',
  'msg:a OR msg:a AND _exists_:msg',
])('%s is in order', (text) => {
  checkNone('mixed-operators', text);
});
