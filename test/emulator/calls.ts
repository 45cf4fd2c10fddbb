import JSZip from 'jszip';
import { expect } from 'vitest';
import { createDeployment, type Deployment, type DeploymentOptions } from '../../src/emulator/deployment.ts';
import { incidentEnd } from '../../src/emulator/incident/incident-logs.ts';
import type { Log } from '../../src/records/log.ts';

/** A deployment whose clock stands still until it is told to go on. */
export interface TestDeployment extends Deployment {
  readonly wait: (milliseconds: number) => void;
}

export const admin = { username: 'admin', password: 'correct horse battery staple' } as const;

/** A deployment with one known user, whose clock begins a minute after the end of the incident. */
export async function startDeployment(options: DeploymentOptions = {}): Promise<TestDeployment> {
  let time = incidentEnd + 60_000;
  const deployment = await createDeployment({ users: [admin], now: () => time, ...options });
  return {
    ...deployment,
    wait: (milliseconds) => {
      time += milliseconds;
    },
  };
}

export const host = 'http://gis.test';

/** The parameters that an export requires, empty: each stands for its default. */
const exportDefaults = { num: '', stackTraces: '', logLevel: '', sortBy: '', sortOrder: '' } as const;

/** A form as the operation at a path takes it: upgrades and uploads as `multipart/form-data`, exports with all that they require. */
export function formBody(path: string, form: Readonly<Record<string, string>>): URLSearchParams | FormData {
  if (/\/logs\/export(\?|$)/.test(path)) return new URLSearchParams({ ...exportDefaults, ...form });
  if (!/\/(upgrade|upload)$/.test(path)) return new URLSearchParams(form);
  const body = new FormData();
  for (const [name, value] of Object.entries(form)) body.set(name, value);
  return body;
}

/** Sends a form. A path without a scheme is below the host of the tests. */
export function post(
  deployment: Deployment,
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const body = formBody(path, { f: 'json', ...form });
  return deployment.fetch(
    new Request(new URL(path, host), { method: 'POST', body, headers: { ...headers } }),
  );
}

/** Sends a form and reads the JSON of the answer. */
export async function postJson(
  deployment: Deployment,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<unknown> {
  const response = await post(deployment, path, form);
  expect(response.status).toBe(200);
  return response.json();
}

/** A token of a user, bound to nothing. */
export async function signIn(
  deployment: Deployment,
  account: { username: string; password: string } = admin,
): Promise<string> {
  const form = { ...account, client: 'requestip' };
  const body = await postJson(deployment, '/gis/sharing/rest/generateToken', form);
  return textOf(body, 'token');
}

/** A member of an object that must be a text. */
export function textOf(body: unknown, ...path: readonly string[]): string {
  let value = body;
  for (const key of path) {
    expect(value).toHaveProperty(key);
    value = (value as Record<string, unknown>)[key];
  }
  expect(value).toBeTypeOf('string');
  return String(value);
}

export const exportPath = '/gis/admin/logs/export';

/** Submits an export, lets time pass, and gives the job as it then is. */
export async function runJob(
  deployment: TestDeployment,
  form: Readonly<Record<string, string>>,
  token: string,
): Promise<unknown> {
  const submitted = await postJson(deployment, exportPath, { token, ...form });
  deployment.wait(60_000);
  return postJson(deployment, textOf(submitted, 'jobsUrl'), { token });
}

/** The bytes that an export comes to. */
export async function exportZip(
  deployment: TestDeployment,
  form: Readonly<Record<string, string>>,
  token?: string,
): Promise<Uint8Array> {
  const own = token ?? (await signIn(deployment));
  const url = textOf(await runJob(deployment, form, own), 'result', 'URL');
  const response = await post(deployment, `${url}/download`, { token: own });
  expect(response.headers.get('content-type')).toBe('application/zip');
  return new Uint8Array(await response.arrayBuffer());
}

/** The names and texts of the entries of a zip. */
export async function unzip(bytes: Uint8Array): Promise<ReadonlyMap<string, string>> {
  const zip = await JSZip.loadAsync(bytes, { checkCRC32: true });
  const files = Object.values(zip.files).map(
    async (file) => [file.unsafeOriginalName ?? file.name, await file.async('text')] as const,
  );
  return new Map(await Promise.all(files));
}

/** A log as it stands in a line, with all digits of its code. */
function readLog(line: string): Log {
  const code = /[{,]"logCode":(-?\d{16,})[,}]/.exec(line)?.[1];
  const log: Log = JSON.parse(line);
  return code === undefined ? log : { ...log, logCode: BigInt(code) };
}

/** The logs that an export comes to, in their order. */
export async function exportLogs(
  deployment: TestDeployment,
  form: Readonly<Record<string, string>>,
): Promise<readonly Log[]> {
  return readLines(await exportZip(deployment, form));
}

/** The logs in the first entry of a zip, in their order. */
export async function readLines(bytes: Uint8Array): Promise<readonly Log[]> {
  const [text = ''] = (await unzip(bytes)).values();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(readLog);
}
