import { expect } from 'vitest';
import { submitExport } from '../../../src/client/exports.ts';
import { checkQuery } from '../../../src/language/index.ts';
import { match } from '../../../src/language/meaning/match.ts';
import { resolve } from '../../../src/language/meaning/resolve.ts';
import { parse } from '../../../src/language/parse/parse.ts';
import { newestLogsRequest } from '../../../src/protocol/export-jobs.ts';
import type { Log } from '../../../src/records/log.ts';
import type { ExportParameters } from '../parties/calls.ts';
import { sharedToken } from '../parties/shared-token.ts';
import { postForm } from '../running.ts';
import { logs as exportable, places, start } from './4-2-1-export.ts';
import { byHand, client, deployment, type Section, type Statement, words } from './statement.ts';

/** One word in each default field, and the same word in one that is none. */
const word = 'zebra';
const inField = (field: string, place: number): Log => ({
  time: start + 6000 + place,
  logLevel: 'INFO',
  logCode: 1,
  source: 'Other',
  machine: 'm',
  process: '1',
  msg: '-',
  [field]: word,
});
const defaultFields = words('msg source className username stackTraces serviceTypes');
const logs: readonly Log[] = [...exportable, ...[...defaultFields, 'methodName'].map(inField)];

interface Search {
  readonly id: string;
  readonly says: string;
  /** Queries, and the places of the first six logs that they select. */
  readonly selects: readonly (readonly [query: string, places: readonly number[]])[];
}

const searches: readonly Search[] = [
  {
    id: 'full text',
    says: 'Bare terms: a log matches if it contains any of them',
    selects: [
      ['secret timed', [4, 0]],
      ['Secret', [4]],
      ['nothing', []],
    ],
  },
  {
    id: 'exact match',
    says: 'Double quotes: a phrase matches as it stands',
    selects: [
      ['"timed out"', [0]],
      ['"out timed"', []],
      ['"Kubernetes Secret"', [4]],
    ],
  },
  {
    id: 'field-based',
    says: '`<field>:<term>` searches one field',
    selects: [
      ['source:Sharing', [1]],
      ['username:maria', [3, 1]],
      ['msg:maria', []],
    ],
  },
  {
    id: 'AND',
    says: '`AND` is the intersection',
    selects: [
      ['username:maria AND logCode:9029', [3]],
      ['username:maria AND logCode:1312', []],
    ],
  },
  {
    id: 'OR',
    says: '`OR` is the union',
    selects: [['logCode:1312 OR logCode:9003', [4, 0]]],
  },
  {
    id: 'NOT',
    says: '`NOT` excludes the term after it',
    selects: [['logCode:9029 AND NOT username:maria', [2]]],
  },
  {
    id: 'inclusive range',
    says: '`<field>:[<low> TO <high>]` has inclusive bounds, for numerical fields',
    selects: [
      ['elapsed:[1.5 TO 2]', [3, 2]],
      ['logCode:[1312 TO 9003]', [4, 0]],
      [`time:[${start + 1000} TO ${start + 2000}]`, [2, 1]],
    ],
  },
  {
    id: 'exclusive range',
    says: '`{ }` are exclusive bounds',
    selects: [
      ['elapsed:{1.5 TO 2}', []],
      ['elapsed:{0.5 TO 2}', [3]],
      ['logCode:{1312 TO 9029}', [0]],
    ],
  },
  {
    id: 'grouping',
    says: 'Parentheses combine sub-queries and any of the other types',
    selects: [
      ['(logCode:1312 OR logCode:9003) AND logLevel:SEVERE', [0]],
      ['"timed out" AND (elapsed:[0 TO 1] OR (source:Sharing AND NOT secret))', [0]],
    ],
  },
];

/** The logs that our reading of a query selects, the newest first. */
function matching(query: string): readonly number[] {
  const filter = resolve(parse(query).query);
  return exportable.flatMap((log, at) => (match(filter, { ...log }) ? [at] : [])).toReversed();
}

const byTime = { sortBy: 'time', sortOrder: 'desc', endTime: String(start), startTime: String(start + 5999) };

function toStatement({ id, says, selects }: Search): Statement {
  return {
    id: `4.2.1 search ${id}`,
    says,
    client: client('Reads it so offline, and sends it as it stands', async (own, other) => {
      for (const [searchQuery, expected] of selects) {
        expect([searchQuery, matching(searchQuery)]).toEqual([searchQuery, expected]);
        await submitExport(own, { ...newestLogsRequest, searchQuery });
        expect(other.last().form.get('searchQuery')).toBe(searchQuery);
      }
    }),
    deployment: deployment('Returns these logs', async (reference) => {
      for (const [searchQuery, expected] of selects)
        expect([searchQuery, await places(reference, { searchQuery, ...byTime })]).toEqual([
          searchQuery,
          expected,
        ]);
    }),
  };
}

const sorted = { searchQuery: 'username:maria', startTime: byTime.startTime, endTime: byTime.endTime };

interface Sorting {
  readonly id: string;
  readonly says: string;
  readonly parameters: readonly (readonly [parameters: ExportParameters, places: readonly number[]])[];
  readonly own: readonly [parameter: 'sortBy' | 'sortOrder', change: object, value: string];
}

const sortings: readonly Sorting[] = [
  {
    id: 'sortBy time, sortOrder desc',
    says: '`sortBy` = `time` sorts by the time stamp; `sortOrder` = `desc`: the newest first',
    parameters: [[{ ...sorted, sortBy: 'time', sortOrder: 'desc' }, [3, 1]]],
    own: ['sortBy', { sortBy: 'time' }, 'time'],
  },
  {
    id: 'sortBy time, sortOrder asc',
    says: '`sortOrder` = `asc`: the oldest first',
    parameters: [[{ ...sorted, sortBy: 'time', sortOrder: 'asc' }, [1, 3]]],
    own: ['sortOrder', { sortOrder: 'asc' }, 'asc'],
  },
  {
    id: 'sortBy bestMatch',
    says: '`sortBy` = `bestMatch` puts what matches best first; `sortOrder` is ignored',
    parameters: [
      [
        {
          ...sorted,
          searchQuery: 'received OR logCode:1312 OR 1312',
          sortBy: 'bestMatch',
          sortOrder: 'desc',
          num: '1',
        },
        [4],
      ],
      [
        {
          ...sorted,
          searchQuery: 'received OR logCode:1312 OR 1312',
          sortBy: 'bestMatch',
          sortOrder: 'asc',
          num: '1',
        },
        [4],
      ],
    ],
    own: ['sortBy', { sortBy: 'bestMatch' }, 'bestMatch'],
  },
];

export const searchLogs: Section = {
  number: '4.2.1',
  title: 'Export logs: search',
  file: '4-2-1-search.ts',
  options: { logs },
  statements: [
    {
      id: '4.2.1 search searchQuery',
      says: '`searchQuery` is a string in the search syntax',
      client: client('Sends it as it stands, white space and all', async (own, other) => {
        await submitExport(own, { ...newestLogsRequest, searchQuery: '  "a  b" OR é' });
        expect(other.last().form.get('searchQuery')).toBe('  "a  b" OR é');
      }),
      deployment: deployment('Selects by it; refuses what breaks the syntax', async (reference) => {
        expect(await places(reference, { searchQuery: 'source:Sharing', ...byTime })).toEqual([1]);
        for (const searchQuery of ['(a', '"a', 'a AND', 'logCode:[1 TO'])
          await expect(reference.calls.submit({ searchQuery })).rejects.toThrow(/\S/);
      }),
    },
    ...sortings.map(
      ({ id, says, parameters, own: [parameter, change, value] }): Statement => ({
        id: `4.2.1 search ${id}`,
        says,
        client: client('Sends it', async (own, other) => {
          await submitExport(own, { ...newestLogsRequest, searchQuery: 'a', ...change });
          expect(other.last().form.get(parameter)).toBe(value);
        }),
        deployment: deployment('Returns the logs in that order', async (reference) => {
          for (const [form, expected] of parameters) expect(await places(reference, form)).toEqual(expected);
        }),
      }),
    ),
    ...(
      [
        ['sortBy', 'bestMatch', ['newest', 'TIME'], '"bestMatch", "time"'],
        ['sortOrder', 'desc', ['up', 'ASC'], '"desc", "asc"'],
      ] as const
    ).map(
      ([parameter, value, wrong, known]): Statement => ({
        id: `4.2.1 search default of ${parameter}`,
        says: `\`${parameter}\` is required; its default is \`${value}\``,
        client: client('Always sends it', async (own, other) => {
          await submitExport(own, newestLogsRequest);
          expect(other.last().form.get(parameter)).toMatch(/^(time|desc)$/);
        }),
        deployment: byHand('Takes it where it is absent; refuses an unknown one', async (reference) => {
          const { running } = reference;
          const query = { ...sorted, searchQuery: 'received OR logCode:1312 OR 1312' };
          const others = parameter === 'sortBy' ? {} : { sortBy: 'time' };
          const absent = await places(reference, { ...query, ...others });
          expect(await places(reference, { ...query, ...others, [parameter]: value })).toEqual(absent);
          const other = parameter === 'sortBy' ? 'time' : 'asc';
          expect(await places(reference, { ...query, ...others, [parameter]: other })).not.toEqual(absent);
          for (const each of wrong) {
            const form = { token: await sharedToken(running), [parameter]: each };
            expect(await postForm(running.client.addresses.exportLogs, form)).toMatchObject({
              error: { code: 400, details: [`"${parameter}" requires one of ${known}`] },
            });
          }
        }),
      }),
    ),
    ...searches.map(toStatement),
    {
      id: '4.2.1 search default fields',
      says: 'Without a field, `msg`, `source`, `className`, `username`, `stackTraces`, `serviceTypes`, `logLevel` and `logCode` are searched',
      client: client('Searches the same offline', () => {
        const filter = resolve(parse(word).query);
        const found = logs.slice(6).filter((log) => match(filter, { ...log }));
        expect(found).toEqual(logs.slice(6, -1));
        const onLevel = resolve(parse('SEVERE').query);
        expect(exportable.filter((log) => match(onLevel, { ...log }))).toEqual([logs[0]]);
        const onCode = resolve(parse('1312').query);
        expect(exportable.filter((log) => match(onCode, { ...log }))).toEqual([logs[4]]);
      }),
      deployment: deployment('Searches these, and no other', async (reference) => {
        const form = {
          searchQuery: word,
          sortBy: 'time',
          startTime: String(start + 60_000),
          stackTraces: 'true',
        };
        const found = await reference.exported(form);
        const hits = found.map((log) => Object.entries(log).find(([, value]) => value === word)?.[0]);
        expect(hits.toSorted()).toEqual(defaultFields.toSorted());
        expect(await places(reference, { searchQuery: 'SEVERE', ...byTime })).toEqual([0]);
        expect(await places(reference, { searchQuery: '1312', ...byTime })).toEqual([4]);
      }),
    },
    {
      id: '4.2.1 search upper case',
      says: 'Operators must be upper case',
      client: client('Reads lower case as words, and says so', () => {
        const filter = resolve(parse('username:maria and logCode:9029').query);
        const found = exportable.flatMap((log, at) => (match(filter, { ...log }) ? [at] : []));
        expect(found).toEqual([1, 2, 3]);
        const { findings } = checkQuery('username:maria and logCode:9029');
        expect(findings.map(({ code }) => code)).toContain('operator-like-word');
      }),
      deployment: deployment('Takes lower case for words', async (reference) => {
        const searchQuery = 'username:maria and logCode:9029';
        expect(await places(reference, { searchQuery, ...byTime })).toEqual([3, 2, 1]);
      }),
    },
  ],
};
