import { expect, test } from 'vitest';
import { validate } from '../../../src/language/lint/validate.ts';
import { parse } from '../../../src/language/parse/parse.ts';

/** Queries of administrators in which everything is in order. */
const documented = [
  'timeout',
  'Timeout',
  '"timed out"',
  '"disk full"',
  '"connection refused"',
  '"out of memory"',
  '"certificate expired"',
  '"error 500 tile"',
  'timeout OR refused',
  'timeout AND database',
  'timeout AND NOT database',
  'timeout NOT database',
  'NOT timeout',
  'NOT (timeout OR refused)',
  '(timeout OR refused) AND database',
  '(timeout AND database) OR (refused AND proxy)',
  '(a AND b) OR (NOT c)',
  'msg:timeout',
  'msg:"connection refused"',
  'msg:(connection refused)',
  'msg:"connection refused" AND logLevel:SEVERE',
  'logLevel:SEVERE',
  'logLevel:(SEVERE OR WARNING)',
  'NOT logLevel:(DEBUG OR VERBOSE)',
  'logLevel:SEVERE OR logLevel:WARNING',
  'logLevel:SEVERE AND NOT source:Sharing',
  'logCode:9003',
  '9003',
  '9003 OR timeout',
  'logCode:(9003 OR 9029)',
  'logCode:[9000 TO 9003]',
  'logCode:{9000 TO 9999}',
  'logCode:[100000 TO *] AND serviceTypes:MapServer',
  'logCode:1312 AND "Updated Kubernetes Secret"',
  'elapsed:[1.45195 TO 2.43]',
  'elapsed:[5 TO *]',
  'elapsed:{0 TO 0.5]',
  'elapsed:[5 TO *] AND logCode:9999 AND serviceTypes:FeatureServer',
  'time:2024-01-31',
  'time:[2024-01-01 TO 2024-01-31]',
  'time:[2024-01-01 TO 2024-01-31] AND logLevel:SEVERE',
  'time:["2024-01-31T10:00:00" TO "2024-01-31T11:00:00"]',
  'time:[1706695200000 TO 1706698800000]',
  'time:[now-1d TO now]',
  'time:[now-1h/h TO *] AND logLevel:SEVERE',
  'source:Sharing',
  'source:"Rest Catalog"',
  'source:"Enterprise Admin" AND logLevel:WARNING',
  'source:"Roads/Traffic.MapServer"',
  'source:("Rest Catalog" OR "Soap Catalog")',
  'username:maria',
  'username:"maria@example.com"',
  'username:admin AND NOT logLevel:INFO',
  'requestID:"550e8400-e29b-41d4-a716-446655440000"',
  '"550e8400-e29b-41d4-a716-446655440000"',
  'machine:"gis-map-3"',
  'thread:42',
  'className:com.vendor.geo.TileCache',
  'stackTraces:java.lang.NullPointerException',
  '"java.lang.OutOfMemoryError" AND machine:"gis-map-3"',
  'serviceTypes:(MapServer OR FeatureServer) AND elapsed:[3 TO *]',
  'serviceTypes:ImageServer',
  'serviceTypes:GPServer AND "Job failed"',
  '"http://example.com/arcgis/rest"',
  'msg:"C:\\\\temp\\\\foo.txt"',
  'msg:"10.1.2.3:8080"',
  '10.1.2.3',
  'rel_11.2_4567',
  '"Wait time for" AND "service request"',
  'refused AND (proxy OR gateway) AND NOT (test OR staging)',
  '  timeout\n  AND logLevel:SEVERE  ',
  '"can\'t connect"',
  'msg:\\-\\-debug',
  'AND_MORE AND ORACLE AND NOTICE',
  'türm OR größe',
  'timeout refused unreachable reset closed',
];

/** Queries of people with knowledge of the engine. */
const lucene = [
  '+timeout -test',
  '+a +b -c',
  'time* AND logLevel:SEVERE',
  't?meout',
  'tine~1',
  '"connection refused"~3',
  'timeout^2 OR refused',
  '/time(out)?/',
  'msg:/time(out|d)/ AND logCode:9003',
  'elapsed:>5',
  'elapsed:>=5 AND elapsed:<10',
  'a && b',
  'a || b',
  'a && !b',
  '*:*',
  '*',
  'username:*',
  '_exists_:username',
  'log\\*:severe',
  '*:* AND NOT logLevel:INFO',
];

test('there are enough of them', () => {
  expect(documented.length).toBeGreaterThanOrEqual(60);
});

test.each(documented)('there is nothing to say about %s', (text) => {
  expect(findingsIn(text, 'documented')).toEqual([]);
  expect(findingsIn(text, 'lucene')).toEqual([]);
});

test.each(lucene)("there is nothing to say about %s in the engine's own dialect", (text) => {
  expect(findingsIn(text, 'lucene')).toEqual([]);
});

function findingsIn(text: string, dialect: 'documented' | 'lucene') {
  const { query, findings } = parse(text);
  return [...findings, ...validate(query, { dialect, now: Date.UTC(2026, 0, 1) })];
}
