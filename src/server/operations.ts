import * as v from 'valibot';
import {
  about,
  changes,
  coverage,
  detections,
  investigate,
  pattern,
  patterns,
  poorResult,
  services,
} from './analysis-operations.ts';
import { context, facets, histogram, log, logs, sql, trace } from './log-operations.ts';
import {
  addNote,
  changeNote,
  notes,
  removeNote,
  removeSearch,
  saveSearch,
  searches,
} from './note-operations.ts';
import { type Operation, type OperationTypes, sourceAnswer, sourceStream } from './operation.ts';
import type { ExportStatus, Offers, OpenProgress } from './workspace.ts';

const nothing = v.object({});

/** The last export of the page; null before the first. */
const exportStatus = sourceAnswer(
  nothing,
  async (_, { workspace }): Promise<ExportStatus | null> => workspace.exports.status() ?? null,
);

/** The files, profiles and other sources that can be opened. */
const offers = sourceAnswer(nothing, (_, { workspace }): Promise<Offers> => workspace.offers());

const word = v.pipe(v.string(), v.maxLength(10_000));

const order = v.object({
  profile: word,
  case: word,
  kind: v.picklist(['new', 'resume', 'retry gaps', 'since last']),
  from: v.optional(word),
  to: v.optional(word),
  search: v.optional(word),
  logLevel: v.optional(word),
});

/** Starts an export with a profile of this machine. */
const startExport = sourceAnswer(
  order,
  (ordered, { workspace }): Promise<ExportStatus> => workspace.exports.start(ordered),
);

/** Stops the running export in order; what came is kept. */
const stopExport = sourceAnswer(nothing, async (_, { workspace }): Promise<ExportStatus | null> => {
  await workspace.exports.stop();
  return workspace.exports.status() ?? null;
});

const openParameters = v.object({ name: word });

/** Opens a source, with its progress. */
const open = sourceStream(
  openParameters,
  ({ name }, { workspace, signal }): AsyncIterable<OpenProgress> => workspace.open(name, signal),
);

/** All operations by name. The page is typed by this list. */
const operations = {
  about,
  changes,
  context,
  coverage,
  detections,
  facets,
  histogram,
  investigate,
  log,
  logs,
  notes,
  pattern,
  patterns,
  poorResult,
  searches,
  services,
  sql,
  trace,
  addNote,
  changeNote,
  removeNote,
  removeSearch,
  saveSearch,
  exportStatus,
  offers,
  open,
  startExport,
  stopExport,
};

type Operations = typeof operations;

const byName: ReadonlyMap<string, Operations[keyof Operations]> = new Map(Object.entries(operations));

/** Returns the operation of a name; undefined if there is none. */
export function operationOf(name: string): Operations[keyof Operations] | undefined {
  return byName.get(name);
}

type KnownOf<O> = O extends Operation<infer _On, infer _C, infer T> ? T : never;

/** Parameters and result of the operations of a kind, by name. */
type OfKind<K extends OperationTypes['kind']> = {
  readonly [N in keyof Operations as KnownOf<Operations[N]>['kind'] extends K ? N : never]: KnownOf<
    Operations[N]
  >;
};

/** Operations that answer with one value. */
export type Answers = OfKind<'answer'>;

/** Operations that write to a case and answer with one value. */
export type Writes = OfKind<'write'>;

/** Operations that answer with a stream of values, each a `result`. */
export type Streams = OfKind<'stream'>;
