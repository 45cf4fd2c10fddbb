import { test } from 'vitest';
import { engines } from '../../../../src/language/parse/engine.ts';
import { checkFindings, checkNone } from '../check-findings.ts';

test.each([
  [
    'a misspelt field is offered its neighbours',
    `
levle:SEVERE
^^^^^ There is no field "levle", so this matches nothing
  Change to logLevel: logLevel:SEVERE
  Put it in quotes: "levle:SEVERE"`,
  ],
  [
    'a part of a name',
    `
level:SEVERE
^^^^^ There is no field "level", so this matches nothing
  Change to logLevel: logLevel:SEVERE
  Put it in quotes: "level:SEVERE"`,
  ],
  [
    'other names for the same',
    `
message:timeout AND timestamp:2024
^^^^^^^ There is no field "message", so this matches nothing
  Change to msg: msg:timeout AND timestamp:2024
  Put it in quotes: "message:timeout" AND timestamp:2024
                    ^^^^^^^^^ There is no field "timestamp", so this matches nothing
  Change to time: message:timeout AND time:2024
  Put it in quotes: message:timeout AND "timestamp:2024"`,
  ],
  [
    'a path with a star',
    String.raw`
C:\temp\*.log
^^^^^^^^^^^^^ This looks like a Windows path, but "C" before its colon is taken for a field that does not exist
  Put it in quotes: "C:\\temp\\*.log"`,
  ],
  [
    'upper and lower case',
    `
LogLevel:SEVERE
^^^^^^^^ There is no field "LogLevel", so this matches nothing
  Change to logLevel: logLevel:SEVERE
  Put it in quotes: "LogLevel:SEVERE"`,
  ],
  [
    'in front of quotes that do not quote',
    `
levle:“a b”
^^^^^ There is no field "levle", so this matches nothing
  Change to logLevel: logLevel:“a b”
  Put it in quotes: "levle:“a" b”`,
  ],
  [
    'a name like no other',
    `
foo:bar
^^^ There is no field "foo", so this matches nothing
  Put it in quotes: "foo:bar"`,
  ],
  [
    'a label',
    `
error: timeout
^^^^^ There is no field "error", so this matches nothing
  Put it in quotes: "error: timeout"`,
  ],
  [
    'a label and a phrase',
    `
error:"timed out"
^^^^^ There is no field "error", so this matches nothing`,
  ],
  [
    'a URL',
    `
http://example.com/a/b
^^^^^^^^^^^^^^^^^^^^^^ This looks like a URL, but "http" before its colon is taken for a field that does not exist
  Put it in quotes: "http://example.com/a/b"`,
  ],
  [
    'a URL beside other parts',
    `
msg:a AND (https://host:6443/arcgis/rest OR b)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ This looks like a URL, but "https" before its colon is taken for a field that does not exist
  Put it in quotes: msg:a AND ("https://host:6443/arcgis/rest" OR b)`,
  ],
  [
    'a URL with a query',
    `
NOT http://host/a?x=1&y=2/
    ^^^^^^^^^^^^^^^^^^^^^^ This looks like a URL, but "http" before its colon is taken for a field that does not exist
  Put it in quotes: NOT "http://host/a?x=1&y=2/"`,
  ],
  [
    'a host and its port',
    `
gis-map-3:7443
^^^^^^^^^^^^^^ This looks like a host and its port, but "gis-map-3" before its colon is taken for a field that does not exist
  Put it in quotes: "gis-map-3:7443"`,
  ],
  [
    'localhost',
    `
localhost:8080 AND timeout
^^^^^^^^^^^^^^ This looks like a host and its port, but "localhost" before its colon is taken for a field that does not exist
  Put it in quotes: "localhost:8080" AND timeout`,
  ],
  [
    'an address and its port',
    `
10.1.2.3:80
^^^^^^^^^^^ This looks like a host and its port, but "10.1.2.3" before its colon is taken for a field that does not exist
  Put it in quotes: "10.1.2.3:80"`,
  ],
  [
    'a time of day',
    `
10:15
^^^^^ This looks like a time of day, but "10" before its colon is taken for a field that does not exist
  Put it in quotes: "10:15"`,
  ],
  [
    'a file and a line',
    `
Worker.java:42
^^^^^^^^^^^^^^ This looks like a file and a line, but "Worker.java" before its colon is taken for a field that does not exist
  Put it in quotes: "Worker.java:42"`,
  ],
  [
    'a class and its method',
    `
com.vendor.geo.Worker:run
^^^^^^^^^^^^^^^^^^^^^^^^^ This looks like a class and its method, but "com.vendor.geo.Worker" before its colon is taken for a field that does not exist
  Put it in quotes: "com.vendor.geo.Worker:run"`,
  ],
  [
    'a Windows path',
    String.raw`
C:\temp\foo.txt
^^^^^^^^^^^^^^^ This looks like a Windows path, but "C" before its colon is taken for a field that does not exist
  Put it in quotes: "C:\\temp\\foo.txt"`,
  ],
  [
    'a Windows path with other slashes',
    `
C:/temp/foo
^^^^^^^^^^^ This looks like a Windows path, but "C" before its colon is taken for a field that does not exist
  Put it in quotes: "C:/temp/foo"`,
  ],
  [
    'a backslash in it stays',
    String.raw`
user:DOMAIN\bob
^^^^ There is no field "user", so this matches nothing
  Change to username: username:DOMAIN\bob
  Put it in quotes: "user:DOMAIN\\bob"`,
  ],
  [
    'an escaped colon is part of the name',
    String.raw`
foo\:bar:x
^^^^^^^^ There is no field "foo:bar", so this matches nothing
  Put it in quotes: "foo:bar:x"`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('unknown-field', drawing);
});

test.each([
  [
    'the field that must have a value',
    `
_exists_:levle
         ^^^^^ There is no field "levle", so this matches nothing
  Change to logLevel: _exists_:logLevel`,
    { dialect: 'lucene' },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('unknown-field', drawing, given);
});

test.each([
  'msg:a',
  'time:2024-01-01',
  '*:*',
  '_exists_:msg',
  String.raw`log\*:x`,
  '"http://example.com/a"',
  'a',
  'msg:"a:b"',
])('%s is in order', (text) => {
  checkNone('unknown-field', text);
});

test.each([
  [
    'nothing behind the colon',
    `
http:
^^^^ There is no field "http", so this matches nothing`,
  ],
  [
    'one digit of an hour',
    `
1:23
^^^^ This looks like a time of day, but "1" before its colon is taken for a field that does not exist
  Put it in quotes: "1:23"`,
  ],
  [
    'too few digits',
    `
1:2
^ There is no field "1", so this matches nothing
  Put it in quotes: "1:2"`,
  ],
  [
    'too many digits',
    `
1:234
^^^^^ This looks like a host and its port, but "1" before its colon is taken for a field that does not exist
  Put it in quotes: "1:234"`,
  ],
  [
    'a number and a port',
    `
123:45
^^^^^^ This looks like a host and its port, but "123" before its colon is taken for a field that does not exist
  Put it in quotes: "123:45"`,
  ],
  [
    'no line',
    `
Foo.java:42x
^^^^^^^^ There is no field "Foo.java", so this matches nothing
  Put it in quotes: "Foo.java:42x"`,
  ],
  [
    'a line of five digits',
    `
Foo.java:12345
^^^^^^^^^^^^^^ This looks like a host and its port, but "Foo.java" before its colon is taken for a field that does not exist
  Put it in quotes: "Foo.java:12345"`,
  ],
  [
    'no port',
    `
a.b:123456
^^^ There is no field "a.b", so this matches nothing
  Put it in quotes: "a.b:123456"`,
  ],
  [
    'no host',
    `
host:80
^^^^ There is no field "host", so this matches nothing
  Put it in quotes: "host:80"`,
  ],
  [
    'no port either',
    `
localhost:8080x
^^^^^^^^^ There is no field "localhost", so this matches nothing
  Put it in quotes: "localhost:8080x"`,
  ],
  [
    'no method',
    `
com.x.Y:Run
^^^^^^^ There is no field "com.x.Y", so this matches nothing
  Put it in quotes: "com.x.Y:Run"`,
  ],
  [
    'no class',
    `
com.x.y:run
^^^^^^^ There is no field "com.x.y", so this matches nothing
  Put it in quotes: "com.x.y:run"`,
  ],
  [
    'a constructor',
    `
com.x.Y:<init>
^^^^^^^^^^^^^^ This looks like a class and its method, but "com.x.Y" before its colon is taken for a field that does not exist
  Put it in quotes: "com.x.Y:<init>"`,
  ],
  [
    'no drive',
    String.raw`
CD:\a
^^ There is no field "CD", so this matches nothing
  Put it in quotes: "CD:\\a"`,
  ],
  [
    'a blank behind the colon',
    `
C: /a
^ There is no field "C", so this matches nothing`,
  ],
  [
    'a blank in front of the colon',
    `
C :/a
^ There is no field "C", so this matches nothing`,
  ],
  [
    'a host',
    `
a.gox:80
^^^^^^^^ This looks like a host and its port, but "a.gox" before its colon is taken for a field that does not exist
  Put it in quotes: "a.gox:80"`,
  ],
  [
    'a file in capitals',
    `
A.Go:8
^^^^^^ This looks like a file and a line, but "A.Go" before its colon is taken for a field that does not exist
  Put it in quotes: "A.Go:8"`,
  ],
  [
    'a group that touches',
    `
http://a(b)
^^^^ There is no field "http", so this matches nothing`,
  ],
  [
    'a sign that touches',
    `
http://a^2
^^^^^^^^^^ This looks like a URL, but "http" before its colon is taken for a field that does not exist
  Put it in quotes: "http://a^2"`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('unknown-field', drawing);
});

test.each(['*:*', '"C":/a', String.raw`C\:/a`])('%s is in order too', (text) => {
  checkNone('unknown-field', text);
});

test.each([
  [
    'any value',
    `
nosuch:*
^^^^^^ There is no field "nosuch", so this matches nothing`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('unknown-field', drawing, { dialect: 'lucene' });
});

test.each(['_exists_:msg', '*:a'])('%s is in order there', (text) => {
  checkNone('unknown-field', text, { dialect: 'lucene' });
});

const lucene = { dialect: 'lucene', engine: engines.lucene } as const;

test.each([
  [
    'a name of several fields',
    `
*:a
^ There is no field "*", so this matches nothing
  Put it in quotes: "*:a"`,
  ],
  [
    'the field that asks for a value',
    `
_exists_:msg
^^^^^^^^ There is no field "_exists_", so this matches nothing`,
  ],
  [
    'any field and a pattern',
    String.raw`
\*:a*
^^ There is no field "*", so this matches nothing`,
  ],
])('where no name has such a meaning, %s', (_title, drawing) => {
  checkFindings('unknown-field', drawing, lucene);
});

test.each(['*:*', String.raw`\*:*`])('%s is every log to all engines', (text) => {
  checkNone('unknown-field', text, lucene);
});
