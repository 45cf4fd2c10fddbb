import { ownCases } from '../export/export-cases.ts';
import { exportInto } from '../export/run-export.ts';

/** Exports logs of a deployment into a case. */
export const exportCommand = exportInto(ownCases);
