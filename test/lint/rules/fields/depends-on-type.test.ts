import { test } from 'vitest';
import { checkFindings, checkNone, keywords } from '../check-findings.ts';

test.each([
  [
    'upper and lower case',
    `
logLevel:severe AND a
         ^^^^^^ If "logLevel" is indexed as a keyword, this does not find "SEVERE"
  Change to SEVERE: logLevel:SEVERE AND a`,
  ],
  [
    'in a group, in quotes',
    `
serviceTypes:(a OR "mapserver")
                   ^^^^^^^^^^^ If "serviceTypes" is indexed as a keyword, this does not find "MapServer"
  Change to MapServer: serviceTypes:(a OR MapServer)`,
  ],
  [
    'words side by side',
    `
logLevel:(SEVERE WARNING)
          ^^^^^^^^^^^^^^ If "logLevel" is indexed as a keyword, words side by side are one value
  Put OR between them: logLevel:(SEVERE OR WARNING)`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('depends-on-type', drawing);
});

test.each([
  'logLevel:SEVERE',
  'logLevel:(SEVERE OR WARNING)',
  'logLevel:foo',
  'msg:(a b)',
  'severe',
  'logLevel:[severe TO info]',
  'username:MARIA',
])('%s is in order', (text) => {
  checkNone('depends-on-type', text);
});

test.each([
  ['logLevel:severe', { schema: keywords }],
  ['logLevel:(SEVERE WARNING)', { schema: keywords }],
] as const)('%s is in order there', (text, given) => {
  checkNone('depends-on-type', text, given);
});

test.each([
  [
    'two of them',
    `
logLevel:(severe OR Info)
          ^^^^^^ If "logLevel" is indexed as a keyword, this does not find "SEVERE"
  Change to SEVERE: logLevel:(SEVERE OR Info)
                    ^^^^ If "logLevel" is indexed as a keyword, this does not find "INFO"
  Change to INFO: logLevel:(severe OR INFO)`,
  ],
  [
    'a service',
    `
serviceTypes:mapserver
             ^^^^^^^^^ If "serviceTypes" is indexed as a keyword, this does not find "MapServer"
  Change to MapServer: serviceTypes:MapServer`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('depends-on-type', drawing);
});

test.each(['logLevel:[severe TO info]', 'logLevel:foo'])('%s is in order too', (text) => {
  checkNone('depends-on-type', text);
});

test.each(['logLevel:>severe', 'logLevel:severe~1'])('%s is in order there', (text) => {
  checkNone('depends-on-type', text, { dialect: 'lucene' });
});

test.each(['logLevel:severe'])('%s is in order there', (text) => {
  checkNone('depends-on-type', text, { schema: keywords });
});
