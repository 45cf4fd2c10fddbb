import type { Call } from '../command-line/command.ts';
import { refuseTogether } from '../command-line/refuse-together.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { exportSpec } from '../specs/logs.ts';

type Options = Call<typeof exportSpec>['options'];
type Name = keyof Options;

/** What an export is for: something new, an export that was interrupted, or what came since the last one. */
export interface ExportTarget {
  readonly kind: 'new' | 'resume' | 'since last';
  readonly path: string;
}

/** What the options of an export are for. Options of which one would be ignored are refused. */
export function targetOf(options: Options): ExportTarget {
  const { out, resume, sinceLast, plan, overlap } = options;
  for (const [name, others] of Object.entries(excluded)) refuseTogether(options, name as Name, others);
  if (overlap !== undefined && sinceLast === undefined)
    throw new UsageError('"--overlap" requires "--since-last CASE"');
  if (resume !== undefined) return { kind: 'resume', path: resume };
  if (sinceLast !== undefined) return { kind: 'since last', path: sinceLast };
  if (out !== undefined) return { kind: 'new', path: out };
  // A plan needs no case; one that is there takes away from it what it has.
  if (plan) return { kind: 'new', path: ':memory:' };
  throw new UsageError('"--out CASE" is required, or "--resume CASE", or "--since-last CASE"');
}

/** What is asked for, which an export that goes on knows. */
const asked: readonly Name[] = [
  ...(['search', 'force', 'via', 'from', 'to', 'logLevel', 'logCode', 'users'] as const),
  ...(['requestIds', 'serviceTypes', 'source', 'withoutStackTraces', 'num'] as const),
];

/** Options that would do nothing beside the one they stand with here. */
const excluded: { readonly [K in Name]?: readonly Name[] } = {
  resume: ['out', 'sinceLast', 'plan', ...asked],
  sinceLast: ['out', ...asked],
  // One call by the options as they are.
  num: ['plan', 'cap', 'via', 'windowBy', 'timeField'],
  ndjson: ['json', 'plan'],
};
