import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { variedLogs } from '../search/varied-logs.mjs';

/** The program under test, as users start it. */
export const program = fileURLToPath(new URL('../../../dist/bin/logquarry.js', import.meta.url));

/** Imports varied logs into a case of a folder, unless it is there already; returns its path. */
export async function makeCase(folder, count) {
  const path = join(folder, `${count}.duckdb`);
  if (existsSync(path)) return path;
  const logs = join(folder, `${count}.ndjson`);
  const file = createWriteStream(logs);
  let lines = [];
  const flush = async () => {
    if (!file.write(lines.join(''))) await once(file, 'drain');
    lines = [];
  };
  for (const log of variedLogs(count)) if (lines.push(`${JSON.stringify(log)}\n`) === 5000) await flush();
  await flush();
  await once(file.end(), 'finish');
  const words = [program, 'import', logs, '--into', path];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  rmSync(logs);
  if (status !== 0) throw new Error(`The import failed: ${stderr}`);
  return path;
}
