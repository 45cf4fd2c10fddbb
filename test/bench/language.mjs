/**
 * The language against its peers on npm, in one process and in turns: parse,
 * parse and validate, format. Prints the median of each and the ratio to ours.
 *
 *     npm run bench:language
 */
import fc from 'fast-check';
import { parse as parseLiqe } from 'liqe';
import lucene from 'lucene';
import { QueryParser } from 'lucene-kit';
import { format, parse } from '../../dist/language/index.js';
import { validate } from '../../dist/meaning/index.js';

const rounds = 15;
const queries = fc.sample(level(), { numRuns: 1000, seed: 20 });

/** Queries as administrators write them, always the same ones. */
function level() {
  const clauses = fc.constantFrom(
    ...['timeout', 'refused', 'connection', 'pool', 'Sharing', 'secret', 'rotated', 'request', 'MapServer'],
    ...['msg:timeout', 'msg:"timed out"', '"connection refused"', 'logLevel:SEVERE', 'logLevel:WARNING'],
    ...['logCode:9003', 'logCode:[9000 TO 9999]', 'elapsed:[1.5 TO 30]', 'source:Sharing'],
    ...['source:"Roads/Traffic.MapServer"', 'requestID:"550e8400-e29b-41d4-a716-446655440000"'],
  );
  return fc.letrec((tie) => ({
    level: fc
      .tuple(
        tie('clause'),
        fc.array(fc.tuple(fc.constantFrom(' AND ', ' OR ', ' '), tie('clause')), { maxLength: 3 }),
      )
      .map(([first, rest]) => first + rest.flat().join('')),
    clause: fc.oneof(
      { depthSize: 'small' },
      clauses,
      clauses.map((clause) => `NOT ${clause}`),
      tie('level').map((inner) => `(${inner})`),
    ),
  })).level;
}

const contestants = {
  'logquarry parse': (query) => parse(query),
  'logquarry parse and validate': (query) => validate(parse(query).query),
  'logquarry parse and format': (query) => format(parse(query).query),
  lucene: (query) => lucene.parse(query),
  'lucene-kit': (query) => new QueryParser(query).toAST(),
  liqe: (query) => parseLiqe(query),
};

/** Milliseconds for all queries, and how many of them were refused. */
function run(work) {
  let refused = 0;
  const start = performance.now();
  for (const query of queries) {
    try {
      work(query);
    } catch {
      refused += 1;
    }
  }
  return { time: performance.now() - start, refused };
}

const times = new Map(Object.keys(contestants).map((name) => [name, []]));
const refusals = new Map();
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, work] of Object.entries(contestants)) {
    const { time, refused } = run(work);
    if (0 < round) times.get(name).push(time);
    refusals.set(name, refused);
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const ours = median(times.get('logquarry parse'));
const length = queries.join('').length / queries.length;
console.log(
  `${queries.length} queries of ${length.toFixed(0)} characters on average, median of ${rounds} rounds in turns`,
);
for (const [name, values] of times) {
  const time = median(values);
  const speed = Math.round((queries.length / time) * 1000).toLocaleString('en');
  const note = refusals.get(name) ? `, ${refusals.get(name)} refused` : '';
  console.log(
    `${name.padEnd(30)} ${speed.padStart(9)} queries/s ${(time / ours).toFixed(2).padStart(7)} x the time${note}`,
  );
}
