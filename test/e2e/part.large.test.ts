import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { runSql } from '../../src/case/sql/run-sql.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { startProgram } from './process.ts';

const store = pathToFileURL(resolve('dist/case')).href;

/** Enough logs for three connections, or for two. */
const count = 450_000;

const addAll = 'for await (const { error } of addFiles(into, files, { threads: 2 })) if (error) throw error;';
const passOver = 'for (const file of files) await addInOnePass(into, file, { threads: 2 });';

const ways = [
  ['a large part is', 1, addAll],
  ['a large part whose file is kept while it is loaded is', 1, passOver],
  ['parts that share transactions are', 3, addAll],
] as const;

test.each(ways)(
  '%s there whole or not at all wherever a process is killed as transactions end',
  async (_, parts, add) => {
    const folder = await mkdtemp(join(tmpdir(), 'logquarry-large-'));
    const path = join(folder, 'case.duckdb');
    const each = Math.floor(count / parts);
    const files = await Promise.all(
      Array.from({ length: parts }, (_, file) => writeLogs(folder, file, each)),
    );
    const all = parts * each;
    const outcomes: number[] = [];
    try {
      // The transactions of a part end one after the other: each time the process dies one of them later.
      for (let ends = 0; outcomes.at(-1) !== all; ends++) {
        const program = `
        import { DuckDBConnection } from '@duckdb/node-api';
        import { addFiles, openCase } from '${store}/../index.js';
        import { addInOnePass } from '${store}/loading/add-files.js';
        const files = ${JSON.stringify(files)};
        const into = await openCase(${JSON.stringify(path)}, { access: 'write', create: true });
        const run = DuckDBConnection.prototype.run;
        let left = ${ends};
        DuckDBConnection.prototype.run = function (sql, ...rest) {
          if (sql === 'COMMIT' && left-- === 0) process.kill(process.pid, 'SIGKILL');
          return run.call(this, sql, ...rest);
        };
        ${add}
        await into[Symbol.asyncDispose]();`;
        await startProgram(process.execPath, ['--input-type=module', '-e', program]).ended;
        await using opened = await openCase(path, { access: 'read' });
        const found = await summary(opened);
        const { logs } = found;
        expect([0, all]).toContain(logs);
        expect(found.parts.map((part) => part.logs)).toEqual(logs === 0 ? [] : files.map(() => each));
        const { deviations } = await verifyCase(opened);
        // Where nothing is loaded yet, the originals are there, and nothing refers to them.
        expect(deviations.filter(({ code }) => code !== 'FILE_UNLISTED' || 0 < logs)).toEqual([]);
        outcomes.push(logs);
      }
      // Once it died between the two, with logs of one of them in the file.
      const removed = "SELECT count(*) FROM actions WHERE action = 'remove unfinished part'";
      expect((await runSql(path, removed)).rows).not.toEqual([[0]]);
      await using into = await openCase(path, { access: 'write' });
      for (const file of files)
        expect(await addFile(into, file)).toMatchObject({ already: true, parts: [{ logs: each }] });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

async function writeLogs(folder: string, number: number, count: number): Promise<string> {
  const path = join(folder, `${number}.ndjson`);
  await writeFile(
    path,
    Array.from({ length: count }, (_, at) => `{"time":${at},"msg":"m ${number} ${at}"}\n`).join(''),
  );
  return path;
}
