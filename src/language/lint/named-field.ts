import type { Field } from '../meaning/fields.ts';
import type { Targets } from '../meaning/targets.ts';
import type { Clause } from '../parse/tree.ts';

/** The field that a clause, or a group around it, names. Undefined unless it is a single known field. */
export function namedField(clause: Clause, targets: (clause: Clause) => Targets): Field | undefined {
  return fieldOfTargets(targets(clause));
}

/** The field that targets name. Undefined unless it is a single known field. */
export function fieldOfTargets({ named, fields }: Targets): Field | undefined {
  return named !== undefined && fields.length === 1 ? fields[0] : undefined;
}
