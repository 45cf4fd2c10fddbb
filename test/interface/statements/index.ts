import { service } from './1-service.ts';
import { catalogTypes } from './2-1-catalog-types.ts';
import { exportJob } from './2-2-export-job.ts';
import { template } from './2-3-template.ts';
import { replicas } from './2-4-replicas.ts';
import { placement } from './2-5-placement.ts';
import type { Section } from './statement.ts';

/** All statements of the interface document, in its order. */
export const sections: readonly Section[] = [service, catalogTypes, exportJob, template, replicas, placement];
