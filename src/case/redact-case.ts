import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { streamRows } from '../database/index.ts';
import { makeRedactor, type Redactor } from '../records/index.ts';
import { findExports, findWindows, type StoredWindow, saveExportChanges } from './contents/exports.ts';
import { addNote, listNotes, listSearches, saveSearch } from './contents/notes.ts';
import { chainHead } from './contents/summary.ts';
import { type Case, readCaseSnapshot, writeToCase } from './file/case.ts';
import { recordAction } from './file/chain.ts';
import { addRecords } from './loading/add-logs.ts';
import { type StoredLog, storedLogColumns, toStoredLog } from './searching/stored-log.ts';

/** Result of a redaction: numbers of logs, and of different values that were replaced. */
export interface Redaction {
  readonly logs: number;
  readonly users: number;
  readonly hosts: number;
  readonly mails: number;
  /** Network addresses, those of hardware included. */
  readonly addresses: number;
  /** Tokens and credentials. */
  readonly secrets: number;
  /** Unreadable records, which are not copied. */
  readonly leftOut: number;
}

/** Options of a redaction. */
export interface RedactOptions {
  /** Secret of the pseudonyms: with the same key the same value has the same pseudonym in every copy. */
  readonly key: Uint8Array;
  /**
   * Returns a word without what varies in it, such as numbers: names of one shape get pseudonyms of one shape. With
   * `maskMessage`, messages of the copy have the same patterns. Default: every name is its own shape.
   */
  readonly shapeOf?: (word: string) => string;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

/** Logs that are added in one transaction. */
const batchLength = 20_000;

/**
 * Copies the logs, notes, searches and coverage of a case into an empty one. Pseudonyms replace users, hosts,
 * and mail and network addresses. Originals, unreadable records and jobs are not copied. The chain of the
 * copy says that it is redacted. Rejects with a `StoreError` or the reason of the signal.
 */
export async function redactCase(
  from: Case,
  into: Case,
  { key, shapeOf, onProgress, signal }: RedactOptions,
): Promise<Redaction> {
  const redactor = makeRedactor((text) => createHmac('sha256', key).update(text).digest(), shapeOf);
  const head = await chainHead(from);
  const total = 2 * (head?.logs ?? 0);
  let done = 0;
  const count = (more: number) => {
    signal?.throwIfAborted();
    done += more;
    onProgress?.({ done, total });
  };
  const notes = await listNotes(from);
  for await (const logs of batches(from)) {
    for (const { log, extra } of logs) redactor.learn(log, extra);
    count(logs.length);
  }
  for (const { author } of notes) redactor.learn({ username: author });
  const ids = new Map<number, number>();
  const noted = new Set(notes.flatMap(({ logs }) => logs));
  let id = 0;
  for await (const logs of batches(from)) {
    for (const log of logs) {
      id += 1;
      if (noted.has(log.id)) ids.set(log.id, id);
    }
    await addRedacted(into, logs, redactor);
    count(logs.length);
  }
  await copyCoverage(from, into, redactor);
  await copyNotes(from, into, { redactor, ids });
  const { user, host, mail, address4, address6, mac, secret } = redactor.counts();
  const result = {
    logs: id,
    users: user,
    hosts: host,
    mails: mail,
    addresses: address4 + address6 + mac,
    secrets: secret,
    leftOut: head?.unreadable ?? 0,
  };
  await writeToCase(into, (connection) =>
    recordAction(connection, 'redact case', { source: head?.hash, ...result }),
  );
  return result;
}

/** Streams all logs in the order of their ids; a batch has logs of one part. */
async function* batches(from: Case): AsyncGenerator<readonly StoredLog[], void, undefined> {
  const parts = await readCaseSnapshot(from, async (connection) => {
    const result = await connection.runAndReadAll(
      'SELECT part FROM stored.logs GROUP BY part ORDER BY min(id)',
    );
    return v.parse(v.array(v.tuple([v.number()])), result.getRowsJS()).map(([part]) => part);
  });
  for (const part of parts) yield* batchesOfPart(from, part);
}

async function* batchesOfPart(
  from: Case,
  part: number,
): AsyncGenerator<readonly StoredLog[], void, undefined> {
  for (let after = -1; ; ) {
    const logs = await readCaseSnapshot(from, async (connection) => {
      const found: StoredLog[] = [];
      const result = await streamRows(connection, {
        sql: `SELECT ${storedLogColumns} FROM (FROM stored.logs WHERE part = $1 AND id > $2 ORDER BY id LIMIT ${batchLength})`,
        parameters: [part, after],
        signal: undefined,
      });
      for await (const rows of result.yieldRowsJs()) for (const row of rows) found.push(toStoredLog(row));
      return found.sort((a, b) => a.id - b.id);
    });
    const last = logs.at(-1);
    if (!last) return;
    yield logs;
    after = last.id;
  }
}

async function addRedacted(into: Case, logs: readonly StoredLog[], redactor: Redactor): Promise<void> {
  const part = `redacted part ${logs[0]?.part}`;
  const records = logs.map(({ log, extra }) => ({
    log: redactor.redactLog(log),
    ...(extra && { extra: redactor.redactExtra(extra) }),
  }));
  await addRecords(into, records, { part });
}

/** The columns of a window that tell of the deployment: addresses, jobs, conditions, reasons, and hashes of originals. */
const leftOut = {
  slice: undefined,
  job: undefined,
  address: undefined,
  upload: undefined,
  bytes: undefined,
  sha256: undefined,
  found: undefined,
  expected: undefined,
  reason: undefined,
} satisfies Record<Exclude<keyof StoredWindow, CopiedOfWindow>, undefined>;

type CopiedOfWindow =
  | ('window' | 'export' | 'oldest' | 'newest' | 'state' | 'attempts')
  | ('records' | 'logs' | 'unreadable' | 'missing' | 'updated');

/** Copies exports and their windows without addresses, jobs and hashes of originals. */
async function copyCoverage(from: Case, into: Case, redactor: Redactor): Promise<void> {
  const texts = (members: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(members).map(([name, text]) => [name, redactor.redactText(text)]));
  for (const storedExport of await findExports(from)) {
    redactor.learn({ msg: storedExport.deployment });
    const windows = (await findWindows(from, storedExport.export)).map((window) => ({
      ...window,
      ...leftOut,
    }));
    const { deployment, request, settings, learnt } = storedExport;
    const redacted = { deployment: redactor.redactText(deployment), request: texts(request) };
    const stored = { ...storedExport, ...redacted, settings: texts(settings), learnt: texts(learnt) };
    await saveExportChanges(into, () => ({ export: stored, windows }));
  }
}

interface Copied {
  readonly redactor: Redactor;
  /** Ids of noted logs in the copy, by those in the case. */
  readonly ids: ReadonlyMap<number, number>;
}

async function copyNotes(from: Case, into: Case, { redactor, ids }: Copied): Promise<void> {
  const { redactText } = redactor;
  for (const { logs, text, tags, author } of await listNotes(from))
    await addNote(into, {
      logs: logs.flatMap((id) => ids.get(id) ?? []),
      text: redactText(text),
      tags: tags.map(redactText),
      author: redactText(author),
    });
  for (const { name, query, author, from: first, to: last } of await listSearches(from))
    await saveSearch(into, {
      name: redactText(name),
      query: redactText(query),
      author: redactText(author),
      from: first,
      to: last,
    });
}
