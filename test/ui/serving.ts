import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readRules } from '../../src/cli/rules/read-rules.ts';
import { downloadLogs } from '../../src/cli/ui/download-logs.ts';
import { downloadReport } from '../../src/cli/ui/download-report.ts';
import { incidentLogs } from '../../src/emulator/index.ts';
import type { Log } from '../../src/records/log.ts';
import { makeTemporaryFolder } from '../../src/store/files/temporary-folder.ts';
import { addLogs, openCase } from '../../src/store/index.ts';
import type { Answers } from '../../src/ui/api/operations.ts';
import { serveUi } from '../../src/ui/index.ts';

/** Asks an operation with one answer, which the types of the operation describe. */
export async function ask<N extends keyof Answers>(
  page: ServedPage,
  name: N,
  parameters: Answers[N]['parameters'],
): Promise<Answers[N]['result']> {
  const response = await page.call(name, parameters);
  return (await response.json()) as Answers[N]['result'];
}

/** The page of a case, listening. */
export interface ServedPage extends AsyncDisposable {
  /** The first address, with the secret. */
  readonly url: string;
  /** The case file. */
  readonly path: string;
  /** The address of the server without path. */
  readonly origin: string;
  /** Calls an operation as the page does. */
  readonly call: (
    name: string,
    parameters: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Response>;
}

/** Serves the page of a case with some logs; those of an incident unless given. */
export async function servePage(logs: Iterable<Log> = incidentLogs({ count: 500 })): Promise<ServedPage> {
  const folder = await makeTemporaryFolder();
  const path = join(folder, 'incident.duckdb');
  {
    await using into = await openCase(path, { access: 'write', create: true });
    await addLogs(into, [...logs], { part: 'logs' });
  }
  const opened = await openCase(path, { access: 'read' });
  const close = () => opened[Symbol.asyncDispose]();
  const cases = { cases: [opened], names: ['incident.duckdb'], paths: [path], [Symbol.asyncDispose]: close };
  const downloads = { logs: downloadLogs, report: downloadReport };
  const rules = await readRules();
  const served = await serveUi({ opened: cases, port: 0, downloads, rules, author: 'ada' });
  const { origin } = new URL(served.url);
  const cookie = (await fetch(served.url)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const call: ServedPage['call'] = (name, parameters, headers = {}) =>
    fetch(`${origin}/api/${name}`, {
      method: 'POST',
      headers: { origin, cookie, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(parameters),
    });
  return {
    ...{ url: served.url, path, origin, call },
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
