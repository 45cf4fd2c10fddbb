import type { Part } from '../store/index.ts';
import { printable } from './printable.ts';
import { grouped } from './progress.ts';
import type { Column } from './table.ts';

/** The columns in which the parts of a case are shown to people. */
export const partColumns: readonly Column[] = [
  { name: 'file', canShrink: true },
  { name: 'entry', canShrink: true },
  { name: 'format' },
  { name: 'logs', align: 'right' },
  { name: 'unreadable', align: 'right' },
  { name: 'remark' },
];

/** The cells of a part. */
export function toPartRow(part: Part, { already }: { readonly already: boolean }): string[] {
  const { file, entry, format, logs, unreadable, problem } = part;
  const remark = problem ? 'not loaded' : already ? 'was in the case already' : '';
  return [file, entry, format, grouped(logs), grouped(unreadable), remark];
}

/** What has to be said about a part: why it was not loaded, and what its records lost or what was assumed of them. */
export function partRemarks({ entry, problem, unreadable, remarks, zone = 'UTC' }: Part): string[] {
  const name = `"${printable(entry)}"`;
  return [
    ...(problem ? [`${name} was not loaded: ${printable(problem.message)} [${problem.code}]`] : []),
    ...(0 < unreadable
      ? [`${name}: ${grouped(unreadable)} records could not be read; they are kept in the view "unreadable".`]
      : []),
    ...remarks.map(({ code, field, count }) => {
      const words =
        code === 'NO_ZONE'
          ? `names no zone and was read as ${zone}; "--zone" takes another.`
          : remarkWords[code];
      return `${name}: ${field} of ${grouped(count)} logs ${words}`;
    }),
  ];
}

const remarkWords = {
  WRONG_TYPE: 'is no value of its type; it is kept in "extra".',
  SECOND_VALUE: 'was given twice; the second value is kept in "extra".',
} as const;
