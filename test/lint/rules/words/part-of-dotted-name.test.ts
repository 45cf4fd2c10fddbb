import { test } from 'vitest';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'a well-known exception',
    `
NullPointerException
^^^^^^^^^^^^^^^^^^^^ "NullPointerException" is not found within a dotted name, such as "java.lang.NullPointerException"
  Ask for the whole name too: (NullPointerException OR java.lang.NullPointerException)`,
  ],
  [
    'on a field, excluded',
    `
a AND NOT stackTraces:SocketTimeoutException
                      ^^^^^^^^^^^^^^^^^^^^^^ "SocketTimeoutException" is not found within a dotted name, such as "java.net.SocketTimeoutException"
  Ask for the whole name too: a AND NOT stackTraces:(SocketTimeoutException OR java.net.SocketTimeoutException)`,
  ],
  [
    'in quotes',
    `
"IOException"
^^^^^^^^^^^^^ "IOException" is not found within a dotted name, such as "java.io.IOException"
  Ask for the whole name too: ("IOException" OR java.io.IOException)`,
  ],
  [
    'one that is not well known',
    `
GeometryServiceException
^^^^^^^^^^^^^^^^^^^^^^^^ "GeometryServiceException" is not found within a dotted name, such as "com.example.GeometryServiceException"`,
  ],
  [
    'a class',
    `
className:LogExporter
          ^^^^^^^^^^^ "LogExporter" is not found within a dotted name, such as "com.example.LogExporter"`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('part-of-dotted-name', drawing);
});

test.each([
  [
    'with any package',
    `
GeometryServiceException
^^^^^^^^^^^^^^^^^^^^^^^^ "GeometryServiceException" is not found within a dotted name, such as "com.example.GeometryServiceException"
  Ask for the whole name too: (GeometryServiceException OR *.GeometryServiceException)`,
    { dialect: 'lucene' },
  ],
  [
    'similar words',
    `
IOException~1
^^^^^^^^^^^^^ "IOException" is not found within a dotted name, such as "java.io.IOException"`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('part-of-dotted-name', drawing, given);
});

test.each([
  'java.lang.NullPointerException',
  'NullPointerException OR java.lang.NullPointerException',
  'FeatureServer',
  'error',
  'Error',
  'ERROR',
  'Exception',
  'className:worker',
  'className:com.vendor.Worker',
  '"NullPointerException at"',
  'logCode:IOException',
])('%s is in order', (text) => {
  checkNone('part-of-dotted-name', text);
});
