import { lenientNumber } from '../lenient.ts';
import { templateDefaults } from '../properties/known-values.ts';
import type { PropertyTemplate } from '../properties/template.ts';

/** The least and the greatest number of pods of a template; absent members have their defaults. */
export function replicaCounts({ spec: { replicas } }: Pick<PropertyTemplate, 'spec'>): {
  readonly min: number;
  readonly max: number;
} {
  const { min, max } = templateDefaults.replicas;
  return { min: lenientNumber(replicas?.min) ?? min, max: lenientNumber(replicas?.max) ?? max };
}
