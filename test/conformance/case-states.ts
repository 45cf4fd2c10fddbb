import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { buildIndex } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import type { Log } from '../../src/records/log.ts';
import { tamperWith } from '../store/tamper.ts';

/** What the index of a case can be while it is asked. In all states it must give the same answers. */
export const caseStates = [
  'without an index',
  'with all logs in segments',
  'with half of the logs in a segment',
  'with a damaged page in each segment',
  'while logs are loaded',
] as const;

export type CaseState = (typeof caseStates)[number];

/** A case in some state. */
export interface PreparedCase extends AsyncDisposable {
  readonly opened: Case;
  /** Number of the logs to compare: they have the ids up to it. */
  readonly logs: number;
}

/** Makes a case of logs, whose ids are 1, 2 and so on. Segments are small, so that there are several. */
export async function prepareCase(state: CaseState, logs: readonly Log[]): Promise<PreparedCase> {
  const folder = await mkdtemp(join(tmpdir(), 'case-state-'));
  const path = join(folder, 'case.duckdb');
  {
    await using into = await openCase(path, { access: 'write', create: true });
    const half = Math.ceil(logs.length / 2);
    for (const some of [logs.slice(0, half), logs.slice(half)]) {
      await addLogs(into, some, { part: 'logs' });
      const isIndexed = state !== 'without an index' && state !== 'with half of the logs in a segment';
      if (isIndexed || (state === 'with half of the logs in a segment' && some[0] === logs[0]))
        await buildIndex(into, { segmentBytes: 1 });
    }
  }
  if (state === 'with a damaged page in each segment') await damagePages(path);
  const opened = await openCase(path, { access: state === 'while logs are loaded' ? 'write' : 'read' });
  const loading = state === 'while logs are loaded' ? load(opened) : undefined;
  return {
    opened,
    logs: logs.length,
    [Symbol.asyncDispose]: async () => {
      await loading?.end();
      await opened[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** Makes a byte of the first page of each segment another one. */
async function damagePages(path: string): Promise<void> {
  await tamperWith(path, [
    "SET VARIABLE flipped = '\\x5A'::BLOB",
    ...[1, 2].map(
      (segment) =>
        `UPDATE stored.segment_${segment} SET bytes = bytes[:99] || getvariable('flipped') || bytes[101:] WHERE rowid = 0`,
    ),
  ]);
}

/** Most logs that are loaded beside the questions. */
const mostLoaded = 5000;

/** Loads other logs and indexes them, again and again, until it is ended. */
function load(into: Case): { readonly end: () => Promise<void> } {
  let isEnded = false;
  const loaded = (async () => {
    for (let count = 0; !isEnded && count < mostLoaded; count += 50) {
      const logs = Array.from({ length: 50 }, (_, index): Log => ({ msg: `other timeout ${count + index}` }));
      await addLogs(into, logs, { part: 'others' });
      if (count % 500 === 0) await buildIndex(into, { segmentBytes: 1 });
    }
  })();
  return {
    end: () => {
      isEnded = true;
      return loaded;
    },
  };
}
