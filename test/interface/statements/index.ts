import { service } from './1-service.ts';
import { catalogTypes } from './2-1-catalog-types.ts';
import { exportJob } from './2-2-export-job.ts';
import { template } from './2-3-template.ts';
import { replicas } from './2-4-replicas.ts';
import { placement } from './2-5-placement.ts';
import { upgradeSettings } from './2-6-upgrade-settings.ts';
import { rollbackOption } from './2-7-rollback-option.ts';
import { upgradeStatus } from './2-8-upgrade-status.ts';
import { states } from './3-states.ts';
import { catalog } from './4-1-catalog.ts';
import { exportLogs } from './4-2-1-export.ts';
import { searchLogs } from './4-2-1-search.ts';
import { editProperties } from './4-2-2-edit.ts';
import { getSettings } from './4-2-3-get-settings.ts';
import { checkRollbackOptions } from './4-2-4-check-rollback.ts';
import { upgrade } from './4-2-5-upgrade.ts';
import { commonParameters } from './4-2-operations.ts';
import { authentication } from './5-authentication.ts';
import { errors, events } from './6-events-and-errors.ts';
import { limits } from './8-limits.ts';
import { versioning } from './9-versioning.ts';
import type { Section } from './statement.ts';

/** All statements of the interface document, in its order. */
export const sections: readonly Section[] = [
  service,
  catalogTypes,
  exportJob,
  template,
  replicas,
  placement,
  upgradeSettings,
  rollbackOption,
  upgradeStatus,
  states,
  catalog,
  commonParameters,
  exportLogs,
  searchLogs,
  editProperties,
  getSettings,
  checkRollbackOptions,
  upgrade,
  authentication,
  events,
  errors,
  limits,
  versioning,
];
