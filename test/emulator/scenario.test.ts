import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { burstLogs } from '../../src/emulator/bursts.ts';
import { readScenario, scenarioOptions } from '../../src/emulator/scenario.ts';

const folder = 'samples/scenarios';

describe('the samples', () => {
  test.each(readdirSync(folder))('%s can be used', (name) => {
    const read = readScenario(readFileSync(`${folder}/${name}`, 'utf8'));
    expect(read).toHaveProperty('scenario');
    if ('scenario' in read) expect(read.scenario.about).toMatch(/\.$/);
  });
});

test.each([
  ['{"capp": 1}', 'capp: no such key'],
  ['{"exports": {"capp": 1}}', 'exports.capp: no such key'],
  ['{"exports": {"cap": 20000}}', 'exports.cap: '],
  ['{"faults": [{"on": "job", "effect": "explode"}]}', 'faults.0.effect: '],
  ['{"faults": [{"on": "job", "effect": "delay"}]}', 'faults.0.milliseconds: '],
  ['{"logs": {"count": 5, "until": "yesterday"}}', 'logs.until: '],
  ['[]', 'the whole: '],
  ['{', 'JSON'],
])('%s cannot', (text, problem) => {
  expect(readScenario(text)).toEqual({ problem: expect.stringContaining(problem) });
});

test('a scenario becomes the options of a deployment', () => {
  const text = '{"about": "Few logs.", "logs": {"count": 3}, "exports": {"cap": 2}, "clockAhead": 3600000}';
  const read = readScenario(text);
  if (!('scenario' in read)) throw new Error(read.problem);
  const { logs, now, ...rest } = scenarioOptions(read.scenario);
  expect(rest).toEqual({ exports: { cap: 2 } });
  expect(logs).toHaveLength(3);
  expect((now?.() ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
});

describe('logs in bursts', () => {
  test('are the same for the same seed, and end when they should', () => {
    const options = { count: 2000, until: 1_700_000_000_000 };
    expect(burstLogs(options)).toEqual(burstLogs(options));
    expect(burstLogs({ ...options, seed: 2 })).not.toEqual(burstLogs(options));
    expect(burstLogs(options).at(-1)?.time).toBe(options.until);
  });

  test('can be equal, disordered and crowded', () => {
    const logs = burstLogs({
      count: 2000,
      equal: 0.5,
      disorder: 10_000,
      crowds: [{ count: 500, place: 0.5, alike: true }],
    });
    const times = logs.map(({ time = 0 }) => time);
    expect(times).not.toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBeLessThan(1300);
    expect(logs.filter(({ msg = '' }) => msg.startsWith('Crowd'))).toHaveLength(500);
  });
});
