import {
  type Explanation,
  explainLines,
  explainMatch,
  explainMatchLines,
  explain as explainQuery,
  type FieldValues,
  type MatchExplanation,
} from '../../language/index.ts';
import { toLog } from '../../records/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { readJsonFile } from '../command-line/files.ts';
import { openCases } from '../input/open-cases.ts';
import { engineContext, parseOrReport, readSchemaContext, resolveOrReport } from '../input/read-query.ts';
import type { explainSpec } from '../specs/query-specs.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson, wrapLines } from '../terminal/text.ts';

/** Explains a query, or why it selects a log or not. */
export const explainCommand: RunCommand<typeof explainSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const query = parseOrReport(values.query, terminal);
  if (!query) return exitCodes.no;
  const fields = await readSchemaContext(options.fields, terminal);
  const context = { now: Date.now(), ...engineContext(options.engine), ...fields };
  // Reported first: the explanation of a query that the engine refuses would read as if it ran.
  const isRefused = resolveOrReport(values.query, context, terminal) === undefined;
  const log = await readLogToExplain(options, terminal);
  if (log === undefined) {
    await print(explainQuery(query, context), explainLines, { options, terminal });
    return isRefused ? exitCodes.no : exitCodes.done;
  }
  if (isRefused) return exitCodes.no;
  const explanation = explainMatch(query, log, context);
  await print(explanation, explainMatchLines, { options, terminal });
  return explanation.matches ? exitCodes.done : exitCodes.no;
};

async function print<E extends Explanation | MatchExplanation>(
  explanation: E,
  linesOf: (explanation: E) => readonly string[],
  { options, terminal }: Pick<CommandCall<typeof explainSpec>, 'options' | 'terminal'>,
): Promise<void> {
  const lines = linesOf(explanation).map((line) => escapeUnsafe(line));
  const text = wrapLines(`${lines.join('\n')}\n`, terminal.stdout.width);
  await terminal.print(options.json ? `${toJson(explanation, 2)}\n` : text);
}

/** Source of a log: a file of its own, or a case and an id. */
interface LogSource {
  readonly log: string | undefined;
  readonly case: string | undefined;
  readonly id: number | undefined;
}

/** Reads the log to explain; undefined if none is given. */
async function readLogToExplain(source: LogSource, terminal: Terminal): Promise<FieldValues | undefined> {
  const { log, case: path, id } = source;
  if (log !== undefined) return fromFile(log, terminal);
  return path === undefined || id === undefined ? undefined : fromCase({ path, id }, terminal);
}

async function fromCase(
  { path, id }: { readonly path: string; readonly id: number },
  terminal: Terminal,
): Promise<FieldValues> {
  // Loaded here, because only this branch needs the database.
  const { readLog } = await import('../../analysis/log-source.ts');
  await using opened = await openCases([path], terminal);
  const [logs] = opened.cases;
  const found = logs && (await readLog(logs, id));
  if (!found) throw new UsageError(`The case "${path}" has no log with the id ${id}`);
  return found.log;
}

async function fromFile(path: string, terminal: Terminal): Promise<FieldValues> {
  const record = await readJsonFile(path, terminal);
  if (isRecord(record)) return toLog(record).log;
  throw new UsageError(`The file "${path}" must hold one log: a JSON object with its fields`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
