import { test } from 'vitest';
import { checkFindings, checkNone, keywords } from '../check-findings.ts';

test.each([
  [
    'two numbers',
    `
logCode:9003 AND logCode:9004
                 ^^^^^^^^^^^^ No log matches both this and "logCode:9003": a log has one "logCode"
  Ask for any of them: logCode:9003 OR logCode:9004`,
  ],
  [
    'beside something else',
    `
logCode:9003 AND logCode:9004 AND a
                 ^^^^^^^^^^^^ No log matches both this and "logCode:9003": a log has one "logCode"
  Ask for any of them: (logCode:9003 OR logCode:9004) AND a`,
  ],
  [
    'apart',
    `
logCode:9003 AND a AND logCode:9004
                       ^^^^^^^^^^^^ No log matches both this and "logCode:9003": a log has one "logCode"`,
  ],
  [
    'three',
    `
logCode:[1 TO 5] AND logCode:[4 TO 9] AND logCode:8
                                          ^^^^^^^^^ No log matches both this and the parts before it: a log has one "logCode"
  Ask for any of them: logCode:[1 TO 5] OR logCode:[4 TO 9] OR logCode:8`,
  ],
  [
    'ranges',
    `
elapsed:[1 TO 2] AND elapsed:{2 TO 3]
                     ^^^^^^^^^^^^^^^^ No log matches both this and "elapsed:[1 TO 2]": a log has one "elapsed"
  Ask for any of them: elapsed:[1 TO 2] OR elapsed:{2 TO 3]`,
  ],
  [
    'levels',
    `
logLevel:SEVERE AND logLevel:WARNING
                    ^^^^^^^^^^^^^^^^ No log matches both this and "logLevel:SEVERE": a log has one "logLevel"
  Ask for any of them: logLevel:SEVERE OR logLevel:WARNING`,
  ],
  [
    'dates',
    `
time:2024-01-01 AND time:2024-01-02
                    ^^^^^^^^^^^^^^^ No log matches both this and "time:2024-01-01": a log has one "time"
  Ask for any of them: time:2024-01-01 OR time:2024-01-02`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('conflicting-values', drawing);
});

test.each([
  [
    'keywords',
    `
requestID:a AND requestID:b
                ^^^^^^^^^^^ No log matches both this and "requestID:a": a log has one "requestID"
  Ask for any of them: requestID:a OR requestID:b`,
    { schema: keywords },
  ],
  [
    'with plus signs',
    `
+logCode:1 +logCode:2
           ^^^^^^^^^^ No log matches both this and "logCode:1": a log has one "logCode"`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('conflicting-values', drawing, given);
});

test.each([
  'logCode:9003 OR logCode:9004',
  'logCode:9003 AND logCode:[9000 TO 9999]',
  'logLevel:SEVERE AND logLevel:severe',
  'msg:a AND msg:b',
  'elapsed:[1 TO 2] AND elapsed:[2 TO 3]',
  'logLevel:foo AND logLevel:bar',
  'logCode:a AND logCode:b',
  'logCode:9003 AND NOT logCode:9004',
  'a AND logCode:9003 AND NOT logCode:9004',
  'logCode:9003 AND elapsed:9004',
])('%s is in order', (text) => {
  checkNone('conflicting-values', text);
});

test.each([
  [
    'behind something else',
    `
a AND logCode:1 AND logCode:2
                    ^^^^^^^^^ No log matches both this and "logCode:1": a log has one "logCode"
  Ask for any of them: a AND (logCode:1 OR logCode:2)`,
  ],
  [
    'around what is no number',
    `
logCode:9 AND logCode:abc AND logCode:8
                              ^^^^^^^^^ No log matches both this and "logCode:9": a log has one "logCode"`,
  ],
  [
    'in a group of their field',
    `
logCode:(1 AND 2)
               ^ No log matches both this and "1": a log has one "logCode"
  Ask for any of them: logCode:(1 OR 2)`,
  ],
  [
    'in front of something that may be',
    `
logCode:1 AND logCode:2 elapsed:3
              ^^^^^^^^^ No log matches both this and "logCode:1": a log has one "logCode"
  Ask for any of them: (logCode:1 OR logCode:2) elapsed:3`,
  ],
  [
    'of two fields',
    `
elapsed:1 AND elapsed:2 AND logCode:1 AND logCode:2
              ^^^^^^^^^ No log matches both this and "elapsed:1": a log has one "elapsed"
  Ask for any of them: (elapsed:1 OR elapsed:2) AND logCode:1 AND logCode:2
                                          ^^^^^^^^^ No log matches both this and "logCode:1": a log has one "logCode"
  Ask for any of them: elapsed:1 AND elapsed:2 AND (logCode:1 OR logCode:2)`,
  ],
  [
    'open ranges',
    `
logCode:[* TO 3] AND logCode:[5 TO *]
                     ^^^^^^^^^^^^^^^^ No log matches both this and "logCode:[* TO 3]": a log has one "logCode"
  Ask for any of them: logCode:[* TO 3] OR logCode:[5 TO *]`,
  ],
  [
    'beside a range on text',
    `
logLevel:[A TO B] AND logLevel:SEVERE AND logLevel:INFO
                                          ^^^^^^^^^^^^^ No log matches both this and "logLevel:SEVERE": a log has one "logLevel"
  Ask for any of them: logLevel:[A TO B] AND (logLevel:SEVERE OR logLevel:INFO)`,
  ],
  [
    'behind an OR',
    `
a OR logCode:1 AND logCode:2
                   ^^^^^^^^^ No log matches both this and "logCode:1": a log has one "logCode"
  Ask for any of them: a OR (logCode:1 OR logCode:2)`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('conflicting-values', drawing);
});

test.each([
  'logCode:[* TO 5] AND logCode:[5 TO *]',
  'logCode:{1 TO 2} AND logCode:5',
  'logCode:1 logCode:2',
  'logLevel:[A TO B] AND logLevel:[C TO D]',
])('%s is in order too', (text) => {
  checkNone('conflicting-values', text);
});

test.each([
  [
    'with one plus sign',
    `
+logCode:1 AND logCode:2
               ^^^^^^^^^ No log matches both this and "logCode:1": a log has one "logCode"`,
  ],
  [
    'with another AND',
    `
logCode:1 && logCode:2
             ^^^^^^^^^ No log matches both this and "logCode:1": a log has one "logCode"
  Ask for any of them: logCode:1 OR logCode:2`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('conflicting-values', drawing, { dialect: 'lucene' });
});

test.each([
  [
    'with one of them again',
    `
requestID:a AND requestID:b AND requestID:a
                ^^^^^^^^^^^ No log matches both this and "requestID:a": a log has one "requestID"
  Ask for any of them: (requestID:a OR requestID:b) AND requestID:a`,
  ],
  [
    'a word and a number',
    `
requestID:a AND requestID:9
                ^^^^^^^^^^^ No log matches both this and "requestID:a": a log has one "requestID"
  Ask for any of them: requestID:a OR requestID:9`,
  ],
  [
    'with a lone sign at the end',
    `
x AND requestID:a AND requestID:+ 
                      ^^^^^^^^^^^ No log matches both this and "requestID:a": a log has one "requestID"
  Ask for any of them: x AND (requestID:a OR requestID:+ ) `,
  ],
])('%s', (_title, drawing) => {
  checkFindings('conflicting-values', drawing, { schema: keywords });
});

test.each(['requestID:[a TO b] AND requestID:c'])('%s is in order there', (text) => {
  checkNone('conflicting-values', text, { schema: keywords });
});

test.each([
  [
    'behind one of them again',
    `
logCode:1 AND logCode:1 AND logCode:2 AND a
                            ^^^^^^^^^ No log matches both this and the parts before it: a log has one "logCode"
  Ask for any of them: (logCode:1 OR logCode:1 OR logCode:2) AND a`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('conflicting-values', drawing);
});
