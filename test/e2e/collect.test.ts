import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { burstLogs } from '../../src/emulator/bursts.ts';
import { sortedTexts, textsOf } from '../export/exporting-windows.ts';
import { password, runDeployment } from './deployment.ts';
import { folder, run, start } from './process.ts';

/** Logs of some minutes that ended some minutes ago, whatever day that was. */
const logs = burstLogs({ count: 150, pause: 2000, spread: 0.3, until: Date.now() - 120_000 });

async function prepare(more: object = {}) {
  const here = await folder();
  const deployment = await runDeployment({ logs, exports: { cap: 100 }, jobLimit: 1000 });
  const config = join(here.path, 'collect.json');
  const source = { url: deployment.url, user: 'ann', passwordFile: 'pw', level: 'VERBOSE', backfill: '1h' };
  const settings = { interval: '1s', settle: '5s', cap: 100, ...source };
  await writeFile(join(here.path, 'pw'), password, { mode: 0o600 });
  const write = (rest: object = {}) =>
    writeFile(
      config,
      JSON.stringify({ store: 'store', minimumFree: '1MB', sources: { gis: settings }, ...rest }),
    );
  await write(more);
  return {
    config,
    write,
    store: join(here.path, 'store'),
    [Symbol.asyncDispose]: async () => {
      await deployment[Symbol.asyncDispose]();
      await here[Symbol.asyncDispose]();
    },
  };
}

/** The texts of all logs of a store that the deployment had from the start. */
async function collectedTexts(store: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const name of (await readdir(store)).filter((name) => name.endsWith('.duckdb'))) {
    await using of = await openCase(join(store, name), { access: 'read' });
    texts.push(...(await textsOf(of)));
  }
  const own = new Set(sortedTexts(logs));
  return texts.filter((text) => own.has(text)).sort();
}

test('a collector that is killed goes on; a second one is told of the first; SIGTERM ends it in order', async () => {
  await using prepared = await prepare();
  const { config, store, write } = prepared;
  const killed = start(['collect', config]);
  await killed.printed(/asks for older logs|covered to/);
  killed.child.kill('SIGKILL');
  await killed.ended;

  const first = start(['collect', config]);
  await first.printed('covered to');
  const second = await run(['collect', '--once', config]);
  expect(second).toMatchObject({
    code: 3,
    err: expect.stringContaining(`"gis" is collected by process ${first.child.pid} on `),
  });
  await write({ retention: { age: '1' } });
  first.child.kill('SIGHUP');
  await first.printed('It stays as it was');
  await write({ listen: '127.0.0.1:0' });
  first.child.kill('SIGHUP');
  await first.printed(/The state is at (http:\S+)\/metrics/);
  const [, url = ''] = /The state is at (http:\S+)\/metrics/.exec(first.output()) ?? [];
  expect(await (await fetch(`${url}/metrics`)).text()).toContain(
    'logquarry_collect_turns_total{source="gis"}',
  );
  first.child.kill('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0, err: expect.stringContaining('Ended: ') });

  expect(await run(['collect', '--once', config])).toMatchObject({ code: 0 });
  expect(await collectedTexts(store)).toEqual(sortedTexts(logs));
  const status = await run(['collect', 'status', '--json', config]);
  expect(JSON.parse(status.out)).toMatchObject([{ source: 'gis', gaps: [], lost: [], backfill: [] }]);
  const table = await run(['collect', 'status', config]);
  expect(table.out).toContain('covered to');
  expect(await readFile(join(store, '.gis.json'), 'utf8')).not.toContain(password);
});
