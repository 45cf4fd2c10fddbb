/** Varied logs, through cases of a million logs into a cluster. */

import { once } from 'node:events';
import { createWriteStream, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pushCase } from '../../../dist/cluster/push-case.js';
import { addFile, openCase } from '../../../dist/index.js';
import { variedLogs } from '../search/varied-logs.mjs';
import { data, measured } from './server.mjs';

/** Logs of one case: what an import of a large file reads before it sends it. */
const step = 1_000_000;

/** Loads logs. Returns an identifier and a request of one of them, and the sums of the times of each stage. */
export async function load(cluster, { count }) {
  const times = { import: zero(), push: zero() };
  const logs = variedLogs(count);
  let bytes = 0;
  let picks;
  const onLog = (log, index) => {
    const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(log.msg)?.[0];
    if (picks === undefined && count / 2 < index && uuid) picks = { uuid, requestId: log.requestID };
  };
  for (let from = 0; from < count; from += step) {
    const wanted = Math.min(step, count - from);
    const file = join(data, `${from}.ndjson`);
    bytes += await writeLogs(file, logs, { from, wanted, onLog });
    const path = join(data, `${from}.duckdb`);
    const imported = await measured(async () => {
      const made = await openCase(path, { access: 'write', create: true, originals: 'in place' });
      await addFile(made, file);
      await made[Symbol.asyncDispose]();
    });
    add(times.import, imported);
    const pushed = await measured(async () => {
      const made = await openCase(path, { access: 'read' });
      await pushCase(made, cluster, { deployment: 'prod', folder: data, originals: data });
      await made[Symbol.asyncDispose]();
    });
    add(times.push, pushed);
    for (const each of [file, path]) rmSync(each);
  }
  return { picks, times, bytes };
}

const zero = () => ({ seconds: 0, own: 0, there: 0 });

function add(sum, lap) {
  for (const name of Object.keys(sum)) sum[name] += lap[name];
}

async function writeLogs(file, logs, { from, wanted, onLog }) {
  const out = createWriteStream(file);
  let lines = [];
  for (let index = 0; index < wanted; index += 1) {
    const { value } = logs.next();
    onLog(value, from + index);
    lines.push(`${JSON.stringify(value)}\n`);
    if (lines.length < 5000) continue;
    if (!out.write(lines.join(''))) await once(out, 'drain');
    lines = [];
  }
  await once(out.end(lines.join('')), 'finish');
  return statSync(file).size;
}
