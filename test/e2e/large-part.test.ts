import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { addFile, openCase, runSql, summary, verifyCase } from '../../src/store/index.ts';
import { startProgram } from './process.ts';

const store = pathToFileURL(resolve('dist/store/index.js')).href;

/** More logs than one connection writes alone. */
const count = 250_000;

test('a large part is there whole or not at all, wherever a process is killed as its transactions end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'logquarry-large-'));
  const path = join(folder, 'case.duckdb');
  const file = join(folder, 'large.ndjson');
  const lines = Array.from({ length: count }, (_, at) => `{"time":${at},"msg":"m ${at}"}\n`);
  await writeFile(file, lines.join(''));
  const outcomes: number[] = [];
  try {
    // The transactions of a part end one after the other: each time the process dies one of them later.
    for (let ends = 0; outcomes.at(-1) !== count; ends++) {
      const program = `
        import { DuckDBConnection } from '@duckdb/node-api';
        import { addFile, openCase } from ${JSON.stringify(store)};
        const into = await openCase(${JSON.stringify(path)}, { access: 'write', create: true });
        const run = DuckDBConnection.prototype.run;
        let left = ${ends};
        DuckDBConnection.prototype.run = function (sql, ...rest) {
          if (sql === 'COMMIT' && left-- === 0) process.kill(process.pid, 'SIGKILL');
          return run.call(this, sql, ...rest);
        };
        await addFile(into, ${JSON.stringify(file)}, { threads: 2 });
        await into[Symbol.asyncDispose]();`;
      await startProgram(process.execPath, ['--input-type=module', '-e', program]).ended;
      await using opened = await openCase(path, { access: 'read' });
      const { logs, parts } = await summary(opened);
      expect([0, count]).toContain(logs);
      expect(parts.map((part) => part.logs)).toEqual(logs === 0 ? [] : [count]);
      const { deviations } = await verifyCase(opened);
      // Where nothing is loaded yet, the original is there, and nothing refers to it.
      expect(deviations.filter(({ code }) => code !== 'FILE_UNLISTED' || 0 < logs)).toEqual([]);
      outcomes.push(logs);
    }
    // Once it died between the two, with logs of one of them in the file.
    const removed = "SELECT count(*) FROM actions WHERE action = 'remove unfinished part'";
    expect((await runSql(path, removed)).rows).toEqual([[1]]);
    await using into = await openCase(path, { access: 'write' });
    expect(await addFile(into, file)).toMatchObject({ already: true, parts: [{ logs: count }] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
