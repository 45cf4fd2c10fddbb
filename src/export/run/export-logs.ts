import type { Case, OpenOptions } from '../../case/index.ts';
import type { Client } from '../../client/index.ts';
import type { ExportRequest } from '../../protocol/index.ts';
import type { WindowsProgress } from '../decide/progress.ts';
import {
  exportWindows,
  resumeWindows,
  retryGaps,
  type WindowsOptions,
  type WindowsResult,
} from './export-windows.ts';
import type { ExportProgress } from './job.ts';
import { orderSinceLast } from './open-export.ts';
import { ExportError, type ExportOrder, type RequestSettings, withRequestSettings } from './order.ts';
import { type ExportResult, resumeExport, runExport } from './run-export.ts';

/** What one run exports into a case. */
export type ExportTask =
  /** All logs of an order, in windows. */
  | { readonly kind: 'order'; readonly order: ExportOrder }
  /** The newest logs, by one call. */
  | { readonly kind: 'newest'; readonly request: ExportRequest }
  /** What is newer than the last export; times in milliseconds. */
  | ({ readonly kind: 'since last'; readonly now: number; readonly overlap: number | undefined } & Changes)
  /** What an interrupted run left: the windows of an export, or else its one call. */
  | ({ readonly kind: 'resume' } & Changes)
  /** What the newest export lacks. */
  | ({ readonly kind: 'retry gaps' } & Changes);

interface Changes {
  /** Changes of the request that the case has. */
  readonly settings: RequestSettings;
}

/** Opens the cases that exports fill. */
export interface ExportCases {
  /** Runs work on an existing case open for writing. */
  readonly use: <T>(path: string, work: (into: Case) => Promise<T>) => Promise<T>;
  /** Runs work on a case open for writing, creating it if it is missing and something is stored. */
  readonly fill: <T>(
    path: string,
    options: Pick<OpenOptions, 'memory'>,
    work: (into: Case) => Promise<T>,
  ) => Promise<T>;
}

/** The deployment and the case of one run, and how it works. */
export interface ExportRun extends Omit<WindowsOptions, 'into' | 'onProgress'> {
  readonly client: Client;
  /** Path of the case. */
  readonly path: string;
  readonly cases: ExportCases;
  /** Zone of times that name none, for an export of one call. */
  readonly zone?: string | undefined;
}

/** Result of a run: of one call, or of windows. */
export type ExportOutcome =
  | { readonly kind: 'newest'; readonly result: ExportResult }
  | { readonly kind: 'windows'; readonly result: WindowsResult };

/**
 * Carries out a task. `finish` gets the result while the case is open, and its value is returned. Rejects as
 * `exportWindows` and `runExport` do.
 */
export function exportLogs<T>(
  task: ExportTask,
  { path, cases, ...options }: ExportRun,
  onProgress: (progress: ExportProgress | WindowsProgress) => void,
  finish: (outcome: ExportOutcome, into: Case) => Promise<T>,
): Promise<T> {
  const work = async (into: Case) => finish(await outcomeOf(task, { ...options, into, onProgress }), into);
  switch (task.kind) {
    case 'order':
      return cases.fill(path, { memory: 'little' }, work);
    case 'newest':
      return cases.fill(path, {}, work);
    default:
      return cases.use(path, work);
  }
}

interface TaskOptions extends Omit<WindowsOptions, 'onProgress'> {
  readonly zone?: string | undefined;
  readonly onProgress: (progress: ExportProgress | WindowsProgress) => void;
}

async function outcomeOf(task: ExportTask, options: TaskOptions): Promise<ExportOutcome> {
  switch (task.kind) {
    case 'order':
      return inWindows(exportWindows({ ...options, order: task.order }));
    case 'newest':
      return { kind: 'newest', result: await runExport({ ...options, request: task.request }) };
    case 'since last': {
      const { order, repeat } = await orderSinceLast(options.into, task);
      return inWindows(
        exportWindows({ ...options, order: withRequestSettings(order, task.settings), repeat }),
      );
    }
    case 'retry gaps':
      return inWindows(retryGaps({ ...options, requestSettings: task.settings }));
    case 'resume':
      try {
        return await inWindows(resumeWindows({ ...options, requestSettings: task.settings }));
      } catch (error) {
        const hasNoWindows = error instanceof ExportError && error.code === 'NOTHING_TO_RESUME';
        if (!hasNoWindows) throw error;
        return { kind: 'newest', result: await resumeExport(options) };
      }
  }
}

async function inWindows(result: Promise<WindowsResult>): Promise<ExportOutcome> {
  return { kind: 'windows', result: await result };
}
