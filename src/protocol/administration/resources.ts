import { lenientText } from '../lenient.ts';
import { templateDefaults } from '../properties/known-values.ts';
import type { PropertyTemplate } from '../properties/template.ts';
import { memoryOf, processorsOf, type Quantity } from './quantity.ts';

/** A quantity in a template. */
export interface ResourceQuantity {
  readonly path: string;
  readonly kind: 'memory' | 'cpu';
  readonly bound: 'Min' | 'Max';
  /** Index of its container. */
  readonly container: number;
  /** Its text, or the default if it is absent. */
  readonly text: string;
  /** Undefined if the text is no quantity. */
  readonly value: Quantity | undefined;
}

const members = [
  { name: 'memoryMin', kind: 'memory', bound: 'Min' },
  { name: 'memoryMax', kind: 'memory', bound: 'Max' },
  { name: 'cpuMin', kind: 'cpu', bound: 'Min' },
  { name: 'cpuMax', kind: 'cpu', bound: 'Max' },
] as const;

const readers = { memory: memoryOf, cpu: processorsOf };

/** The quantities of all containers with resources in a template. */
export function resourcesOf({ spec }: PropertyTemplate): readonly ResourceQuantity[] {
  return (spec.containers ?? []).flatMap(({ resources }, container) => {
    if (!resources) return [];
    return members.map(({ name, kind, bound }) => {
      const path = `spec.containers[${container}].resources.${name}`;
      const text = lenientText(resources[name]) ?? templateDefaults.resources[name];
      return { path, kind, bound, container, text, value: readers[kind](text) };
    });
  });
}
