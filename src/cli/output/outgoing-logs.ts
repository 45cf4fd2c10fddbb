import type { Extra, Log, OutgoingLog } from '../../records/index.ts';
import { toEcs, toOtlp, writeExactJson } from '../../records/index.ts';
import { toJson } from '../terminal/printable.ts';
import type { Face } from '../terminal/terminal.ts';
import {
  formatRows,
  type OutputFormat,
  type OutputFormatOptions,
  type PrintedFormat,
  type PrintedOptions,
  type Rows,
  readOutputFormat,
  readPrintedFormat,
} from './output-format.ts';

/** Formats in which other systems take logs, each an option. */
type OutgoingFormat = 'ecs' | 'otlp';

/** Format of printed logs. */
export type PrintedLogFormat = PrintedFormat | OutgoingFormat;

interface OutgoingOptions {
  readonly ecs: boolean;
  readonly otlp: boolean;
}

/** Like `readOutputFormat`, for logs. */
export async function readLogFormat(
  options: OutputFormatOptions & OutgoingOptions,
): Promise<OutputFormat | { readonly kind: OutgoingFormat }> {
  const kind = outgoingFormat(options);
  return kind ? { kind } : readOutputFormat(options);
}

/** Like `readPrintedFormat`, for logs. */
export function readPrintedLogFormat(options: PrintedOptions & OutgoingOptions): PrintedLogFormat {
  return outgoingFormat(options) ?? readPrintedFormat(options);
}

function outgoingFormat({ ecs, otlp }: OutgoingOptions): OutgoingFormat | undefined {
  if (ecs) return 'ecs';
  return otlp ? 'otlp' : undefined;
}

/** A log as a row: its other members are facts about its origin. */
interface LogRow {
  readonly log: Log;
  readonly extra?: Extra;
}

/** Formats logs as a stream of text; like `formatRows`, and in the formats of other systems. */
export function formatLogs<L extends LogRow>(
  rows: Rows<L>,
  kind: PrintedLogFormat,
  face: Face,
): AsyncIterable<string> {
  switch (kind) {
    case 'ecs':
      return ecsEvents(rows.items);
    case 'otlp':
      return otlpRequests(rows.items);
    default:
      return formatRows(rows, kind, face);
  }
}

async function* ecsEvents(logs: Rows<LogRow>['items']): AsyncGenerator<string, void, undefined> {
  for await (const log of logs) yield `${toJson(toEcs(toOutgoing(log)), undefined, writeExactJson)}\n`;
}

/** Limits of a request, below the 4 MiB that collectors take by default; one long log may exceed the second. */
const mostRecords = 500;
const mostCharacters = 1_000_000;

async function* otlpRequests(logs: Rows<LogRow>['items']): AsyncGenerator<string, void, undefined> {
  let batch: OutgoingLog[] = [];
  let characters = 0;
  for await (const log of logs) {
    const length = lengthOf(log);
    if (batch.length === mostRecords || (0 < batch.length && mostCharacters < characters + length)) {
      yield `${toJson(toOtlp(batch))}\n`;
      batch = [];
      characters = 0;
    }
    batch.push(toOutgoing(log));
    characters += length;
  }
  if (0 < batch.length) yield `${toJson(toOtlp(batch))}\n`;
}

function lengthOf({ log, extra }: LogRow): number {
  const texts = Object.values(log).map((value) => (typeof value === 'string' ? value.length : 0));
  return texts.reduce((sum, length) => sum + length, extra ? JSON.stringify(extra).length : 0);
}

function toOutgoing({ log, extra, ...rest }: LogRow): OutgoingLog {
  const facts = Object.entries(rest).filter(isFact);
  return {
    log,
    ...(extra && { extra }),
    ...(0 < facts.length && { origin: Object.fromEntries(facts) }),
  };
}

function isFact(entry: [string, unknown]): entry is [string, string | number | boolean] {
  return ['string', 'number', 'boolean'].includes(typeof entry[1]);
}
