import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCase } from '../../src/case/file/case.ts';
import { openClient } from '../../src/client/client.ts';
import {
  exportWindows,
  type WindowsOptions,
  type WindowsResult,
} from '../../src/export/run/export-windows.ts';
import type { ExportOrder } from '../../src/export/run/order.ts';
import { newestLogsRequest } from '../../src/protocol/export-jobs.ts';
import { addressesFor, noPause } from '../client/deployment.ts';
import { type AwkwardOptions, type AwkwardServer, awkwardServer, type ServedLog } from './awkward-server.ts';
import { generator, textsOf } from './exporting-windows.ts';

/** The time of the first log of {@link servedLogs}. */
export const firstTime = 1_700_000_000_000;

/** Logs of all levels and sizes, up to some minutes apart, with bursts. */
export function servedLogs(count: number, seed = 1): readonly ServedLog[] {
  const random = generator(seed);
  const logs: ServedLog[] = [];
  let time = firstTime;
  for (let index = 0; index < count; index += 1) {
    time += 1 + Math.floor(random() ** 4 * 20_000);
    const level = random();
    logs.push({
      time,
      logLevel: level < 0.05 ? 'SEVERE' : level < 0.15 ? 'WARNING' : level < 0.6 ? 'INFO' : 'FINE',
      logCode: 9000 + Math.floor(random() * 20),
      msg: `request ${index} ${'x'.repeat(Math.floor(random() ** 3 * 400))}`,
    });
  }
  return logs;
}

/** A case that is filled from an awkward server. */
export interface AwkwardExport extends AsyncDisposable {
  readonly server: AwkwardServer;
  readonly options: WindowsOptions;
  /** An order without bounds at its newer end, unless it has some. */
  readonly order: (more?: Partial<ExportOrder>) => ExportOrder;
  /** Exports, and returns the result with the number of logs that are lacking and that are there too often. */
  readonly run: (
    more?: Partial<ExportOrder>,
    work?: Partial<WindowsOptions>,
  ) => Promise<WindowsResult & { readonly lost: number; readonly extra: number }>;
  /** The messages of the run. */
  readonly said: readonly string[];
}

/** Opens an empty case and a client of an awkward server. */
export async function startAwkward(
  rules: AwkwardOptions,
  { patience = 0 }: { readonly patience?: number } = {},
): Promise<AwkwardExport> {
  const folder = await mkdtemp(join(tmpdir(), 'awkward-test-'));
  const server = awkwardServer(rules);
  const addresses = addressesFor('https://gis.example.com/arcgis');
  const credentials = { kind: 'password', username: 'ann', password: 'a password' } as const;
  const { send: transport, clock } = server;
  const client = openClient({ addresses, credentials, transport, clock, retry: { ...noPause, patience } });
  const into = await openCase(join(folder, 'case.duckdb'), {
    access: 'write',
    create: true,
    memory: 'little',
  });
  const said: string[] = [];
  const options: WindowsOptions = {
    client,
    into,
    onProgress: (progress) => {
      if (progress.event === 'trouble') said.push(progress.message);
    },
  };
  const order = (more: Partial<ExportOrder> = {}): ExportOrder => ({
    deployment: addresses.root,
    request: { ...newestLogsRequest, logLevel: 'DEBUG' },
    via: 'search',
    windowBy: 'auto',
    timeField: 'time',
    oldest: firstTime - 3_600_000,
    newest: rules.now - 60_000,
    given: rules.now,
    ...more,
  });
  return {
    server,
    options,
    order,
    said,
    run: async (more, work) => {
      const result = await exportWindows({ ...options, ...work, order: order(more) });
      const { oldest, newest } = order(more);
      const due = rules.logs.filter(({ time }) => oldest <= time && time <= newest);
      const left = new Map<string, number>();
      for (const { arrives: _, leaves: _gone, ...log } of due)
        count(left, JSON.stringify(Object.entries(log).sort()), 1);
      for (const text of await textsOf(into)) count(left, text, -1);
      const sum = (sign: number) =>
        [...left.values()].reduce((total, each) => total + Math.max(0, sign * each), 0);
      return { ...result, lost: sum(1), extra: sum(-1) };
    },
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await into[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

function count(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
