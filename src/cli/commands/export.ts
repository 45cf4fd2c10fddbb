import { ownCases } from '../loading/export-order.ts';
import { exportInto } from '../loading/run-export.ts';

/** Exports logs of a deployment into a case. */
export const exportCommand = exportInto(ownCases);
