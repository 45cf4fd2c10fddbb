import type { RunCommand } from '../command-line/command.ts';
import { ownCases, runExport } from '../loading/run-export.ts';
import type { exportSpec } from '../specs/case-specs.ts';

/** Exports logs of a deployment into a case. */
export const exportCommand: RunCommand<typeof exportSpec> = ({ options, terminal }) =>
  runExport(options, { terminal, cases: ownCases });
