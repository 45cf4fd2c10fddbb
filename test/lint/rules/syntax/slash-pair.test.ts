import { test } from 'vitest';
import { checkFindings, checkNone, keywords } from '../check-findings.ts';

test.each([
  [
    'a path',
    `
/var/log
^^^^^^^^ Two slashes make "/var/" a regular expression; a path requires quotes
  Put it in quotes: "/var/log"`,
  ],
  [
    'a path on a field',
    `
source:/Roads/Traffic
       ^^^^^^^^^^^^^^ Two slashes make "/Roads/" a regular expression; a path requires quotes
  Put it in quotes: source:"/Roads/Traffic"`,
  ],
  [
    'a path behind a word',
    `
Roads/Traffic.MapServer/query
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ Two slashes make "/Traffic.MapServer/" a regular expression; a path requires quotes
  Put it in quotes: "Roads/Traffic.MapServer/query"`,
  ],
  [
    'two paths and what is between them',
    `
msg:/opt and /usr
    ^^^^^^^^^^^^^ Two slashes make "/opt and /" a regular expression; a path requires quotes
  Put the paths in quotes: msg:"/opt" and "/usr"`,
  ],
  [
    'blanks between two slashes',
    `
/a b/
^^^^^ Two slashes make "/a b/" a regular expression; a path requires quotes
  Put the paths in quotes: "/a" "b/"`,
  ],
  [
    'with something that cannot be put in quotes',
    `
/a (b /c
^^^^^^^^ Two slashes make "/a (b /" a regular expression; a path requires quotes`,
  ],
  [
    'excluded',
    `
NOT /a/b/c/d
    ^^^^^^^^ Two slashes make "/a/" a regular expression; a path requires quotes
  Put it in quotes: NOT "/a/b/c/d"`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('slash-pair', drawing);
});

test.each(['"/var/log"', '/ti(m|n)e/', 'msg:/ab/ OR c', 'http://example.com/a', 'a', '/a/^2'])(
  '%s is in order',
  (text) => {
    checkNone('slash-pair', text);
  },
);

test.each([['requestID:/a b/', { schema: keywords }]] as const)('%s is in order there', (text, given) => {
  checkNone('slash-pair', text, given);
});

test.each([
  [
    'two paths',
    `
/a /b
^^^^^ Two slashes make "/a /" a regular expression; a path requires quotes
  Put the paths in quotes: "/a" "/b"`,
  ],
  [
    'around a group',
    `
/opt and (x) /usr
^^^^^^^^^^^^^^^^^ Two slashes make "/opt and (x) /" a regular expression; a path requires quotes`,
  ],
  [
    'a blank within',
    `
/a b/
^^^^^ Two slashes make "/a b/" a regular expression; a path requires quotes
  Put the paths in quotes: "/a" "b/"`,
  ],
  [
    'behind a field',
    `
msg:/a/b
    ^^^^ Two slashes make "/a/" a regular expression; a path requires quotes
  Put it in quotes: msg:"/a/b"`,
  ],
  [
    'in front of a word',
    `
a/b/ c
^^^^ Two slashes make "/b/" a regular expression; a path requires quotes
  Put it in quotes: "a/b/" c`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('slash-pair', drawing);
});

test.each(['x:/a/b/', '/a/'])('%s is in order too', (text) => {
  checkNone('slash-pair', text);
});
