import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { sampled } from '../effort.ts';
import { storyLogs, storyTruth } from '../emulator/story-logs.ts';
import { run } from './run-in-process.ts';

/** The stories beside the incident of the samples, with the rules that have to fire, and no others. */
const rulesOf = {
  leak: ['service_crashed'],
  certificate: ['certificate_expired', 'certificate_updated'],
  upgrade: ['upgrade_step', 'upgrade_window'],
} as const;

/** Rules of events that any day has. */
const ordinary: readonly string[] = ['sign_in_refused', 'signed_in'];

const stories = ['leak', 'certificate', 'upgrade'] as const;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stories-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(sampled(stories, 1))('of the story "%s"', (name) => {
  const truth = storyTruth(name);
  // Of fewer logs the twenty failures of an upgrade are within chance.
  const logs = [...storyLogs(name, { count: 8000 })];
  const path = () => join(folder, `${name}.duckdb`);
  const began = new Date(truth.began).toISOString();
  const ofCode = (code?: number) => logs.filter(({ logCode }) => logCode === code);
  const [{ logCode: severe } = { logCode: 0 }] = truth.codes;
  const failures = ofCode(severe);
  const times = failures.map(({ time = 0 }) => time);
  const facts = { count: failures.length, first: Math.min(...times), last: Math.max(...times) };
  const answer = async (command: string, ...rest: string[]) => {
    const { out, err } = await run([command, ...rest, path(), '--json']);
    expect(err).not.toContain('error:');
    return JSON.parse(out);
  };

  beforeAll(async () => {
    await using into = await openCase(path(), { access: 'write', create: true });
    await addLogs(into, logs, { part: 'all' });
  });

  test('patterns has the failures as new since its begin', async () => {
    const { patterns } = await answer('patterns', '--new-since', began, '--limit', '1000');
    expect(patterns).toContainEqual(expect.objectContaining(facts));
  });

  test('diff has the most frequent of its codes as new', async () => {
    const frequency = ({ logCode }: { logCode: number }) => ofCode(logCode).length;
    const [most] = truth.codes.toSorted((first, second) => frequency(second) - frequency(first));
    const [oldest, newest] = [0, -1].map((at) => new Date(logs.at(at)?.time ?? 0).toISOString());
    const { groups } = await answer('diff', `${oldest}..${began}`, `${began}..${newest}`);
    const isNew = { kind: 'new', field: 'logCode', value: String(most?.logCode), before: 0 };
    expect(groups.flatMap(({ differences }: { differences: unknown[] }) => differences)).toContainEqual(
      expect.objectContaining(isNew),
    );
  });

  test('services counts its failures, from the first to the last', async () => {
    const { errors } = await answer('services');
    expect(errors).toContainEqual(expect.objectContaining({ code: severe, ...facts }));
  });

  test('sessions of its users have its errors', async () => {
    const { sessions } = await answer('sessions', '--limit', '10000');
    for (const user of truth.users) {
      const errors = sessions
        .filter((each: { user: string }) => each.user === user)
        .reduce((sum: number, each: { errors: number }) => sum + each.errors, 0);
      const severeOf = logs.filter(({ logLevel, username }) => logLevel === 'SEVERE' && username === user);
      expect([user, errors]).toEqual([user, severeOf.length]);
    }
  });

  test('detect fires its rules, and no others', async () => {
    const { detections } = await answer('detect');
    const fired: string[] = detections
      .filter(
        (each: { count: number; occurrences?: unknown[] }) =>
          0 < each.count + (each.occurrences?.length ?? 0),
      )
      .map((each: { rule: { name: string } }) => each.rule.name);
    expect(fired.filter((each) => !ordinary.includes(each)).sort()).toEqual(rulesOf[name]);
  });

  test('suggest selects all of its failures by two of them', async () => {
    const found = await answer('search', `logCode:${severe}`, '--limit', '2');
    const like = found.logs.map(({ id }: { id: number }) => id).join(',');
    const { query } = await answer('suggest', '--like', like);
    const { out: count } = await run(['search', query, path(), '--count']);
    expect(Number(count)).toBe(failures.length);
  });

  test('trace of a failed request has all of its logs', async () => {
    const failed = failures.find(({ requestID }) => requestID)?.requestID ?? '';
    expect(await answer('trace', failed)).toHaveLength(
      logs.filter(({ requestID }) => requestID === failed).length,
    );
  });

  test('trace of the slowest requests begins with the longest time', async () => {
    const measured = logs.flatMap(({ requestID, elapsed = 0 }) => (requestID ? [elapsed] : []));
    const [slowest] = await answer('trace', '--slowest', '--limit', '1');
    expect(slowest.took).toBeGreaterThanOrEqual(Math.max(...measured));
  });

  test('gaps finds no silence, as the deployment never stops', async () => {
    expect((await answer('gaps')).silences).toEqual([]);
  });

  test('the report has its failures as what changed', async () => {
    const file = join(folder, `${name}.json`);
    await run(['report', path(), '--out', file]);
    const { investigation } = JSON.parse(await readFile(file, 'utf8'));
    const { code, source } = investigation.main.subject;
    const isOfStory = truth.codes.some(({ logCode }) => String(logCode) === code);
    // Few failures are within chance; the slower requests of the same service are not.
    expect(isOfStory || source === truth.slower?.source).toBe(true);
  });
});
