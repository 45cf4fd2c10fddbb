import * as v from 'valibot';
import type { Action } from '../actions.ts';
import type { Part } from '../parts.ts';
import type { Report } from './deviation.ts';

/** What the record of actions says of a part. */
export interface NotedPart {
  readonly part: number;
  readonly file: string;
  readonly fileSha256?: string | undefined;
  readonly entry?: string | undefined;
  readonly entryNumber?: number | undefined;
  readonly entrySha256?: string | undefined;
  readonly bytes?: number | undefined;
  readonly format?: string | undefined;
  readonly zone?: string | undefined;
  readonly job?: string | undefined;
  readonly problem?: string | undefined;
  readonly unreadable?: number | undefined;
  readonly logs: number;
  /** Logs of its original that are not in the case. */
  readonly leftOut: number;
}

const added = v.object({
  part: v.number(),
  file: v.string(),
  fileSha256: v.optional(v.string()),
  entry: v.optional(v.string()),
  entryNumber: v.optional(v.number()),
  entrySha256: v.optional(v.string()),
  bytes: v.optional(v.number()),
  format: v.optional(v.string()),
  zone: v.optional(v.string()),
  job: v.optional(v.string()),
  problem: v.optional(v.string()),
  unreadable: v.optional(v.number()),
  logs: v.number(),
  leftOut: v.optional(v.number(), 0),
});

const changed = v.object({ part: v.number(), logs: v.number(), file: v.optional(v.string(), '') });

/** The parts that a case has to have by the record of its actions. */
export function notedParts(actions: readonly Action[]): ReadonlyMap<number, NotedPart> {
  const parts = new Map<number, NotedPart>();
  for (const { action, details } of actions) {
    // What cannot be read was altered, which the chain of hashes shows.
    const facts = parsed(details);
    if (action === 'add part' || action === 'find part') add(parts, facts);
    else if (action === 'add logs' || action === 'trim part') change(parts, action, facts);
    else if (action === 'remove part') remove(parts, facts);
  }
  return parts;
}

function parsed(details: string): unknown {
  try {
    return JSON.parse(details);
  } catch {
    return undefined;
  }
}

function add(parts: Map<number, NotedPart>, facts: unknown): void {
  const { success, output } = v.safeParse(added, facts);
  if (success) parts.set(output.part, output);
}

function change(parts: Map<number, NotedPart>, action: 'add logs' | 'trim part', facts: unknown): void {
  const { success, output } = v.safeParse(changed, facts);
  if (!success) return;
  const { part, logs, file } = output;
  const known = parts.get(part) ?? { part, file, logs: 0, leftOut: 0 };
  if (action === 'add logs') parts.set(part, { ...known, logs: known.logs + logs });
  else parts.set(part, { ...known, logs: known.logs - logs, leftOut: known.leftOut + logs });
}

function remove(parts: Map<number, NotedPart>, facts: unknown): void {
  const { success, output } = v.safeParse(v.object({ part: v.number() }), facts);
  if (success) parts.delete(output.part);
}

/** What is compared of a part. */
const compared = [
  ...(['file', 'fileSha256', 'entry', 'entryNumber', 'entrySha256', 'bytes', 'format'] as const),
  ...(['zone', 'job', 'problem', 'unreadable', 'logs'] as const),
];

/** Checks the parts of a case against what was noted of them. */
export function checkParts(
  parts: readonly Part[],
  noted: ReadonlyMap<number, NotedPart>,
  report: Report,
): void {
  for (const part of parts) {
    const known = noted.get(part.part);
    if (known) compare(part, known, report);
    else
      report({
        code: 'PART_UNLISTED',
        part: part.part,
        message: `Part ${part.part} ("${part.entry}") is in no action`,
      });
  }
  const found = new Set(parts.map(({ part }) => part));
  for (const { part, file, entry } of noted.values())
    if (!found.has(part))
      report({ code: 'PART_MISSING', part, message: `Part ${part} ("${entry ?? file}") is gone` });
}

function compare(part: Part, noted: NotedPart, report: Report): void {
  const found = { ...part, problem: part.problem?.code };
  // Logs of this program come without the facts of an original.
  const names = noted.format === undefined ? (['logs'] as const) : compared;
  const differing = names.filter((name) => found[name] !== noted[name]);
  if (differing.length === 0) return;
  const said = differing.map((name) => `${name} is ${show(found[name])}, noted was ${show(noted[name])}`);
  report({
    ...{ code: 'PART_ALTERED', part: part.part },
    message: `Part ${part.part} ("${part.entry}"): ${said.join('; ')}`,
  });
}

function show(value: string | number | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
