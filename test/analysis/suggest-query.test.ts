import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SuggestedQuery, suggestQuery } from '../../src/analysis/suggest-query.ts';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { streamLogs } from '../../src/case/searching/find-logs.ts';
import type { StoredLog } from '../../src/case/searching/stored-log.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { validate } from '../../src/language/lint/validate.ts';
import { analyze } from '../../src/language/meaning/analyze.ts';
import { match } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';
import { rounds } from '../effort.ts';

async function storedLogs(from: Case): Promise<readonly StoredLog[]> {
  const logs: StoredLog[] = [];
  for await (const log of streamLogs(from, resolve(parse('*:*').query))) logs.push(log);
  return logs;
}

const errorsOf = (query: string) => {
  const { query: tree, findings } = parse(query);
  return [...findings, ...validate(tree)]
    .filter(({ severity }) => severity !== 'hint')
    .map(({ code }) => code);
};

/** Checks what the suggestion says of itself against the reference meaning, and returns the query. */
function checked(found: SuggestedQuery, liked: readonly StoredLog[], unliked: readonly StoredLog[]): string {
  const { query = '' } = found;
  expect(errorsOf(query)).toEqual([]);
  const filter = resolve(parse(query).query);
  const failing = new Set(found.inseparable.map((each) => each.liked));
  for (const { id, log } of liked)
    if (!failing.has(id)) expect(match(filter, { ...log }), `like ${id}: ${query}`).toBe(true);
  for (const { id, log } of unliked) expect(match(filter, { ...log }), `unlike ${id}: ${query}`).toBe(false);
  return query;
}

describe('on the incident', () => {
  let incident: Case;
  let logs: readonly StoredLog[] = [];
  beforeAll(async () => {
    incident = await openCase(':memory:', { access: 'write' });
    await addLogs(incident, [...incidentLogs({ count: 1_500 })], { part: 'incident' });
    logs = await storedLogs(incident);
  });
  afterAll(() => incident[Symbol.asyncDispose]());

  const ofCode = (code: number) => logs.filter(({ log }) => log.logCode === code);
  const suggest = async (liked: readonly StoredLog[], unliked: readonly StoredLog[] = []) =>
    suggestQuery(incident, { liked, unliked });

  // The codes and messages are those of the story of the generator.
  test('one crash stands for all crashes', async () => {
    const crashes = ofCode(7569);
    const found = await suggest(crashes.slice(0, 1));
    expect(found).toMatchObject({ query: 'logCode:7569', selected: crashes.length, total: logs.length });
  });

  test('what two logs share is asked for, and what others have is not', async () => {
    const [low, dry, refused] = [ofCode(110034), ofCode(110035), ofCode(110031)];
    const liked = [...low.slice(0, 2), ...dry.slice(0, 2)];
    const found = await suggest(liked, refused.slice(0, 3));
    checked(found, liked, refused.slice(0, 3));
    expect(found.selected).toBeGreaterThanOrEqual(low.length + dry.length);
    expect(found.query?.length).toBeLessThan(40);
  });

  test('different kinds of logs are alternatives', async () => {
    const liked = [...ofCode(1501).slice(0, 1), ...ofCode(8002).slice(0, 2)];
    const unliked = [...ofCode(1312), ...ofCode(8000), ...ofCode(9999)].slice(0, 30);
    const query = checked(await suggest(liked, unliked), liked, unliked);
    expect(query).toMatch(/^logCode:(1501|8002) OR logCode:(8002|1501)$/);
  });

  test('the same log twice cannot be told apart, and that is said', async () => {
    const [first, second] = ofCode(110031).filter(({ log }) => !log.stackTraces);
    const [crash] = ofCode(7569);
    if (!first || !second || !crash) throw new Error('The incident lacks logs');
    const twin = { ...second, log: { ...first.log, time: 1, requestID: 'x' } };
    const found = await suggest([first, crash], [twin]);
    expect(found.inseparable).toEqual([{ liked: first.id, unliked: twin.id }]);
    expect(checked(found, [first, crash], [twin])).toBe('logCode:7569');
  });

  test('any picks are separated', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(1_499), { minLength: 1, maxLength: 6 }),
        fc.uniqueArray(fc.nat(1_499), { maxLength: 8 }),
        async (likes, unlikes) => {
          const pick = (numbers: readonly number[]) => numbers.flatMap((number) => logs[number] ?? []);
          const [liked, unliked] = [pick(likes), pick(unlikes.filter((each) => !likes.includes(each)))];
          const found = await suggest(liked, unliked);
          for (const pair of found.inseparable) expectAlike(pair, [...liked, ...unliked]);
          if (found.inseparable.length < liked.length) checked(found, liked, unliked);
        },
      ),
      { numRuns: rounds(30, 2) },
    );
  });
});

/** Words that share beginnings, repeat, need quotes or look like operators, so that order and number of words matter. */
const word = fc.constantFrom(
  'a',
  'b',
  'a.b',
  'AND',
  'NOT',
  '7',
  'x-y',
  '"',
  'ß',
  'to',
  'C:\\a',
  '/b/c/d',
  '*',
);
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
const log = fc.record(
  {
    msg: text,
    source: fc.constantFrom('A/B.MapServer', 'Sharing', 'not', 'B.MapServer'),
    username: fc.constantFrom('', 'ann', '12::ann@X'),
    logLevel: fc.constantFrom('SEVERE', 'INFO'),
    logCode: fc.constantFrom(0, 1, -5, 9_007_199_254_740_993n),
    elapsed: fc.constantFrom(0, 0.5, 1e-7, 12),
    time: fc.nat(10),
  },
  { requiredKeys: [] },
);

/** The words of each value: a query sees no more of a log. */
function wordsOf({ log: { time: _1, requestID: _2, process: _3, thread: _4, ...log } }: StoredLog): string {
  const fields = Object.entries(log).map(([field, value]) => [
    field,
    typeof value === 'string' ? analyze(value).join(' ') : String(value),
  ]);
  return JSON.stringify(fields.filter(([, words]) => words !== '').sort());
}

function expectAlike(
  { liked, unliked }: { readonly liked: number; readonly unliked?: number },
  logs: readonly StoredLog[],
) {
  const wordsOfId = (id: number | undefined) => {
    const found = logs.find((each) => each.id === id);
    return found ? wordsOf(found) : '[]';
  };
  expect(wordsOfId(liked)).toBe(wordsOfId(unliked));
}

test('any logs are separated, or said to be alike in all that a query can ask for', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(log, { minLength: 2, maxLength: 8 }),
      fc.integer({ min: 1, max: 4 }),
      async (list, count) => {
        await using into = await openCase(':memory:', { access: 'write' });
        await addLogs(into, list as readonly Log[], { part: 'test' });
        const logs = await storedLogs(into);
        const [liked, unliked] = [logs.slice(0, count), logs.slice(count)];
        const found = await suggestQuery(into, { liked, unliked });
        for (const pair of found.inseparable) expectAlike(pair, logs);
        // Logs that are alike are all named.
        for (const each of liked)
          if (unliked.some((other) => wordsOf(other) === wordsOf(each)))
            expect(found.inseparable.map((pair) => pair.liked)).toContain(each.id);
        if (found.inseparable.length < liked.length) checked(found, liked, unliked);
        else expect(found.query).toBeUndefined();
      },
    ),
    { numRuns: rounds(60, 6) },
  );
});
