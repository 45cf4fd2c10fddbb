import fc from 'fast-check';

const words = [
  'timeout',
  'refused',
  'connection',
  'pool',
  'Sharing',
  'secret',
  'rotated',
  'request',
  'MapServer',
  'failed',
];
const clauses = [
  ...words,
  'msg:timeout',
  'msg:"timed out"',
  '"connection refused"',
  'logLevel:SEVERE',
  'logLevel:WARNING',
  'logCode:9003',
  'logCode:[9000 TO 9999]',
  'elapsed:[1.5 TO 30]',
  'source:Sharing',
  'source:"Roads/Traffic.MapServer"',
  'username:siteadmin',
  'requestID:"550e8400-e29b-41d4-a716-446655440000"',
];

const level = fc.letrec<{ level: string; clause: string }>((tie) => ({
  level: fc
    .tuple(
      tie('clause'),
      fc.array(fc.tuple(fc.constantFrom(' AND ', ' OR ', ' '), tie('clause')), { maxLength: 3 }),
    )
    .map(([first, rest]) => first + rest.flat().join('')),
  clause: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...clauses),
    fc.constantFrom(...clauses).map((clause) => `NOT ${clause}`),
    tie('level').map((inner) => `(${inner})`),
  ),
})).level;

/** A thousand queries as administrators write them, always the same ones. */
export const queries: readonly string[] = fc.sample(level, { numRuns: 1000, seed: 20 });
