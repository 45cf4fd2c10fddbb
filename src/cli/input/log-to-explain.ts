import type { FieldValues } from '../../meaning/document.ts';
import { toLog } from '../../records/to-log.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readJsonFile } from './read-json-file.ts';

/** Where a log can come from: a file of its own, or a case and an id. */
interface LogSource {
  readonly log: string | undefined;
  readonly case: string | undefined;
  readonly id: number | undefined;
}

/** The log that was given, or undefined when none was. */
export async function logToExplain(source: LogSource, terminal: Terminal): Promise<FieldValues | undefined> {
  const { log, case: path, id } = source;
  if (log !== undefined) return fromFile(log, terminal);
  return path === undefined || id === undefined ? undefined : fromCase(path, id);
}

async function fromCase(path: string, id: number): Promise<FieldValues> {
  // Only here is a database needed.
  const { openCase, readLog } = await import('../../store/index.ts');
  await using logs = await openCase(path, { access: 'read' });
  const found = await readLog(logs, id);
  if (!found) throw new UsageError(`The case "${path}" has no log ${id}`);
  return found.log;
}

async function fromFile(path: string, terminal: Terminal): Promise<FieldValues> {
  const record = await readJsonFile(path, terminal);
  if (isRecord(record)) return toLog(record).log;
  throw new UsageError(`The file "${path}" requires one log: a JSON object with its fields`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
