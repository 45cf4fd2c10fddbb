/**
 * Codes of problems with a property template before it is sent. The codes are stable; the text explains each.
 */
export const templateFindingCodes = {
  'wrong-type': 'A member is missing or has the wrong type',
  'fixed-member': 'A member that cannot be edited differs from the original',
  'removed-member': 'A member that has to be passed through is missing',
  'undescribed-member': 'A member that the interface document does not describe differs from the original',
  'manual-range': 'Manual scaling requires "min" and "max" to be equal',
  'replica-count': 'The numbers of pods do not go together',
  'scaling-mode': 'The scaling mode is not known, or does not go together with the autoscaling',
  autoscaling: 'The autoscaling is not complete',
  quantity: 'A quantity cannot be read, or says something else than it seems to',
  'quantity-range': 'A least quantity is above the greatest one',
  'node-affinity': 'An expression of the node affinity cannot hold',
  toleration: 'A toleration is contradictory',
  'placement-target': 'The placement policy applies to no pods',
  'needs-version': 'The version of the deployment does not know a member or a value',
  'unknown-value': 'A value is none of those that are known',
} as const;

export type TemplateFindingCode = keyof typeof templateFindingCodes;

/** A finding for the author of a template. A value: never thrown. */
export interface TemplateFinding {
  readonly code: TemplateFindingCode;
  /** The deployment refuses an error; a warning may be intended. */
  readonly severity: 'error' | 'warning';
  /** Path, as `spec.replicas.max`; empty for the whole template. */
  readonly path: string;
  /** One sentence without a final stop. */
  readonly message: string;
}
