import {
  checkQuery,
  type Engine,
  type EngineName,
  engines,
  type Filter,
  type Finding,
  hasErrors,
  offlineOptions,
  parse,
  type Query,
  type ResolveOptions,
  readSchema,
  resolve,
  resolveScored,
  type Schema,
  type Scored,
} from '../../language/index.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { readJsonFile } from '../command-line/files.ts';
import { drawFindings } from '../output/findings.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Reads a query to run here and reports its findings; undefined if it has errors. Lucene syntax that the server refuses
 * can still run here. `now` resolves dates such as `now-1d`: milliseconds since the epoch.
 */
export function readScoredFilter(
  text: string,
  engine: EngineName | undefined,
  terminal: Terminal,
  now = Date.now(),
): Scored | undefined {
  const context = { now, ...engineContext(engine) };
  const { query, findings } = checkQuery(text, { ...offlineOptions, ...context });
  reportFindings({ text }, findings, terminal);
  return hasErrors(findings) ? undefined : resolveScored(query, context);
}

/** Parses a query. Reports syntax errors and returns undefined if there are any. */
export function parseOrReport(text: string, terminal: Terminal): Query | undefined {
  const { query, findings } = parse(text);
  reportFindings({ text }, findings, terminal);
  return findings.length === 0 ? query : undefined;
}

/** Resolves a query. Reports errors, also of patterns that the engine refuses, and returns undefined if there are any. */
export function resolveOrReport(
  text: string,
  options: ResolveOptions,
  terminal: Terminal,
): Filter | undefined {
  const { query, findings } = checkQuery(text, { ...offlineOptions, ...options });
  const errors = findings.filter(({ severity }) => severity === 'error');
  reportFindings({ text }, errors, terminal);
  return errors.length === 0 ? resolve(query, options) : undefined;
}

/** Draws the findings of a query on the standard error. */
export function reportFindings(
  { text, source }: GivenQuery,
  findings: readonly Finding[],
  terminal: Terminal,
): void {
  if (findings.length === 0) return;
  const { style, width = 100 } = terminal.stderr;
  const wraps = terminal.stderr.width !== undefined;
  terminal.message(drawFindings(text, findings, { style, width, wraps, source }).join('\n'));
}

/** The context member with the profile of an engine; empty if none is named. */
export function engineContext(name: EngineName | undefined): { readonly engine?: Engine } {
  return name === undefined ? {} : { engine: engines[name] };
}

/** A query, and its position if it came from a file. */
export interface GivenQuery {
  readonly text: string;
  readonly source?: QuerySource;
}

/** The position of a query in a file. */
interface QuerySource {
  /** The path of the file, or `<stdin>`. */
  readonly name: string;
  readonly line: number;
  /** The name of the query, if the comment before it gives one. */
  readonly queryName?: string;
}

/**
 * Reads the context member with the schema of a file; empty without a file. Throws a `UsageError` with
 * the position of a problem.
 */
export async function readSchemaContext(
  path: string | undefined,
  terminal: Terminal,
): Promise<{ readonly schema?: Schema }> {
  if (path === undefined) return {};
  const read = readSchema(await readJsonFile(path, terminal));
  if ('schema' in read) return read;
  throw new UsageError(`"${path}" is not a description of fields: ${read.problem}`);
}
