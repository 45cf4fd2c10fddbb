import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'an equals sign',
    `
logLevel=SEVERE
^^^^^^^^^^^^^^^ Only a colon asks a field; this looks for the words "logLevel" and "SEVERE"
  Ask the field: logLevel:SEVERE`,
  ],
  [
    'two of them',
    `
logCode==9003 AND a
^^^^^^^^^^^^^ Only a colon asks a field; this looks for the words "logCode" and "9003"
  Ask the field: logCode:9003 AND a`,
  ],
  [
    'with blanks',
    `
elapsed > 5
^^^^^^^^^^^ Only a colon asks a field; this looks for the words "elapsed" and "5"
  Ask the field: elapsed:{5 TO *}`,
  ],
  [
    'with one blank',
    `
elapsed >=5 OR logCode= 9003
^^^^^^^^^^^ Only a colon asks a field; this looks for the words "elapsed" and "5"
  Ask the field: elapsed:[5 TO *] OR logCode= 9003
               ^^^^^^^^^^^^^ Only a colon asks a field; this looks for the words "logCode" and "9003"
  Ask the field: elapsed >=5 OR logCode:9003`,
  ],
  [
    'not equal',
    `
logLevel != INFO AND elapsed!=5
^^^^^^^^^^^^^^^^ Only a colon asks a field; this looks for the words "logLevel" and "INFO"
  Ask the field: NOT logLevel:INFO AND elapsed!=5
                     ^^^^^^^^^^ Only a colon asks a field; this looks for the words "elapsed" and "5"
  Ask the field: logLevel != INFO AND NOT elapsed:5`,
  ],
  [
    'a phrase',
    `
msg="timed out"
^^^^^^^^^^^^^^^ Only a colon asks a field; this looks for the words "msg" and "timed out"
  Ask the field: msg:"timed out"`,
  ],
  [
    'a negative number',
    `
elapsed=-5
^^^^^^^^^^ Only a colon asks a field; this looks for the words "elapsed" and "-5"
  Ask the field: elapsed:"-5"`,
  ],
  [
    'less',
    `
elapsed<5 AND logCode <= 9003
^^^^^^^^^ Only a colon asks a field; this looks for the words "elapsed" and "5"
  Ask the field: elapsed:{* TO 5} AND logCode <= 9003
              ^^^^^^^^^^^^^^^ Only a colon asks a field; this looks for the words "logCode" and "9003"
  Ask the field: elapsed<5 AND logCode:[* TO 9003]`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('field-without-colon', drawing);
});

test.each([
  'a=b',
  'logLevel',
  'logLevel:a=b',
  'elapsed AND > 5',
  'msg =',
  'NOT logLevel=SEVERE',
  'elapsed > NOT 5',
  'logLevel SEVERE',
  'time',
])('%s is in order', (text) => {
  checkNone('field-without-colon', text);
});

test.each([
  [
    'three pieces',
    `
elapsed > 5
^^^^^^^^^^^ Only a colon asks a field; this looks for the words "elapsed" and "5"
  Ask the field: elapsed:{5 TO *}`,
  ],
  [
    'a sign at the field',
    `
elapsed> 5
^^^^^^^^^^ Only a colon asks a field; this looks for the words "elapsed" and "5"
  Ask the field: elapsed:{5 TO *}`,
  ],
  [
    'another sign',
    `
elapsed !=5
^^^^^^^^^^^ Only a colon asks a field; this looks for the words "elapsed" and "5"
  Ask the field: NOT elapsed:5`,
  ],
  [
    'a double sign',
    `
elapsed == 5
^^^^^^^^^^^^ Only a colon asks a field; this looks for the words "elapsed" and "5"
  Ask the field: elapsed:5`,
  ],
  [
    'a phrase apart',
    `
msg = "a b"
^^^^^^^^^^^ Only a colon asks a field; this looks for the words "msg" and "a b"
  Ask the field: msg:"a b"`,
  ],
  [
    'two signs',
    `
logCode=5=6
^^^^^^^^^^^ Only a colon asks a field; this looks for the words "logCode" and "5=6"
  Ask the field: logCode:5=6`,
  ],
  [
    'behind a field',
    `
elapsed msg=5
        ^^^^^ Only a colon asks a field; this looks for the words "msg" and "5"
  Ask the field: elapsed msg:5`,
  ],
  [
    'a negative number',
    `
logCode=-5
^^^^^^^^^^ Only a colon asks a field; this looks for the words "logCode" and "-5"
  Ask the field: logCode:"-5"`,
  ],
  [
    'a dash within',
    `
msg=a-b
^^^^^^^ Only a colon asks a field; this looks for the words "msg" and "a-b"
  Ask the field: msg:a-b`,
  ],
  [
    'a bound below zero',
    `
elapsed>=-5
^^^^^^^^^^^ Only a colon asks a field; this looks for the words "elapsed" and "-5"
  Ask the field: elapsed:[-5 TO *]`,
  ],
  [
    'behind AND',
    `
a AND elapsed=5
      ^^^^^^^^^ Only a colon asks a field; this looks for the words "elapsed" and "5"
  Ask the field: a AND elapsed:5`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('field-without-colon', drawing);
});

test.each([
  'elapsed ! = 5',
  'msg = "a b"~2',
  'elapsed = = 5',
  'elapsed = ',
  'elapsed = (5)',
  'elapsed = NOT 5',
  'elapsed AND = 5',
  'elapsed -=5',
  'elapsed !x',
  'elapsed = msg:a',
  'elapsed NOT =5',
  'elapsed AND !=5',
  'elapsed !msg:=5',
  'elapsed x',
])('%s is in order too', (text) => {
  checkNone('field-without-colon', text);
});

test.each(['elapsed > 5~1', 'elapsed !=tim*', 'msg !"=a"'])('%s is in order there', (text) => {
  checkNone('field-without-colon', text, { dialect: 'lucene' });
});
