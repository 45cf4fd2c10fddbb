import type { Clause } from '../../language/tree.ts';
import type { Field } from '../../meaning/fields.ts';
import type { Targets } from '../../meaning/targets.ts';

/** The field that a clause, or a group around it, names; undefined where there is none, or no single one. */
export function fieldNamed(clause: Clause, targets: (clause: Clause) => Targets): Field | undefined {
  return fieldOf(targets(clause));
}

/** The field that is named; undefined where none is, or no single one. */
export function fieldOf({ named, fields }: Targets): Field | undefined {
  return named !== undefined && fields.length === 1 ? fields[0] : undefined;
}
