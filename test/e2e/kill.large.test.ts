import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findWindows } from '../../src/case/contents/exports.ts';
import { openCase } from '../../src/case/file/case.ts';
import { burstLogs } from '../../src/emulator/bursts.ts';
import { createRandom } from '../../src/emulator/incident/random.ts';
import { sortedTexts, textsOf } from '../export/exporting-windows.ts';
import { runDeployment } from './deployment.ts';
import { folder, run, start } from './process.ts';

const logs = burstLogs({
  count: 3000,
  every: 60,
  disorder: 2000,
  crowds: [{ count: 70, place: 0.5 }],
});
const until = '2025-03-12T13:00';
/** Before the first log. The export begins as long ago as a deployment can keep logs, which is a little later each time. */
const begin = Date.UTC(2025, 0, 1);
const kills = 50;

/** State of a case: its logs, and the windows that brought them. */
async function contentOf(path: string) {
  await using of = await openCase(path, { access: 'read' });
  const windows = (await findWindows(of))
    .filter(({ state }) => state !== 'split')
    .map(({ oldest, newest, slice, state, records, found, logs: count, sha256, missing }) => {
      return {
        oldest: Math.max(oldest, begin),
        newest,
        slice,
        state,
        records,
        found,
        logs: count,
        sha256,
        missing,
      };
    })
    .sort((a, b) => a.oldest - b.oldest || (a.slice ?? '').localeCompare(b.slice ?? ''));
  return { logs: await textsOf(of), windows };
}

test(`an export that is killed at ${kills} moments comes to the same as one that is left alone`, async () => {
  const random = createRandom(Date.now() % 100_000);
  await using here = await folder();
  await using deployment = await runDeployment({
    logs,
    exports: { cap: 25 },
    pace: { queued: 0, running: 5, perLog: 0 },
    jobLimit: 1000,
  });
  const options = { cwd: here.path, environment: deployment.environment };
  const words = (name: string) => ['export', '--into', name, '--to', until, '--cap', '25', '--jobs', '1'];
  expect(await run(words('alone.duckdb'), options)).toMatchObject({ code: 0 });
  const alone = await contentOf(join(here.path, 'alone.duckdb'));
  expect(alone.logs).toEqual(sortedTexts(logs));

  let [killed, number] = [0, 0];
  while (killed < kills) {
    number += 1;
    const name = `killed-${number}.duckdb`;
    for (;;) {
      const { child, ended } = start(words(name), options);
      const isOver =
        killed === kills || (await Promise.race([ended, wait(random.integer(250, 1500))])) !== undefined;
      if (!isOver) {
        child.kill('SIGKILL');
        killed += 1;
      }
      const { code, err } = await ended;
      if (code === 0) break;
      expect({ code, err: isOver ? err : '' }).toEqual({ code: null, err: '' });
    }
    expect(await contentOf(join(here.path, name))).toEqual(alone);
    const left = (await readdir(here.path)).filter((each) => each.startsWith(name)).sort();
    expect(left).toEqual([name, `${name}.evidence`]);
  }
});
