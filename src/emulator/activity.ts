import { joinTexts } from '../protocol/index.ts';
import type { Log } from '../records/index.ts';
import type { Outcome } from './jobs.ts';
import { levelsFrom } from './log-store.ts';
import type { Answer, Operation } from './operation.ts';
import type { UpgradeRun } from './state.ts';
import type { TimedMessage } from './upgrade.ts';

/**
 * The deployment's own activity as logs, in the same format as all others. No log holds a password, a token, a
 * query of an address or the name of an unknown user. That name may be a password in the wrong field.
 */

/** Fields that every log of the deployment itself has. */
const own = { machine: 'reference-deployment', process: '1' } as const;
const admin: Log = { ...own, source: 'Enterprise Admin' };
const sharing: Log = { ...own, source: 'Sharing' };
const restCatalog: Log = { ...own, source: 'Rest Catalog' };
const soapCatalog: Log = { ...own, source: 'Soap Catalog' };

/** Codes of the deployment's own logs. The codes of requests are those of the field notes. */
export const activityCodes = {
  started: 1000,
  jobSubmitted: 1509,
  jobCompleted: 1510,
  jobFailed: 1511,
  badRequest: 9000,
  notFound: 9001,
  badToken: 9002,
  failed: 9003,
  forbidden: 9004,
  soapProcessed: 9526,
  answered: 9999,
  signedIn: 217001,
  signInRefused: 217002,
} as const;

/** True if a log is as severe as the current level, or more severe. */
export function isRecorded({ logLevel }: Log, current: string): boolean {
  return levelsFrom(current).some((level) => level === logLevel);
}

/** Log of the start of the deployment, with its number of logs. */
export function startedLog(time: number, logs: number): Log {
  return {
    ...admin,
    time,
    logLevel: 'INFO',
    logCode: activityCodes.started,
    msg: `Reference deployment started with ${logs} logs.`,
    className: 'logquarry.emulator.Deployment',
    methodName: 'start',
  };
}

/** An answered request, as it is logged. */
export interface LoggedRequest {
  /** Time when the answer was ready, milliseconds since the epoch. */
  readonly time: number;
  readonly requestID: string;
  readonly method: string;
  /** Undefined for an unknown address. */
  readonly operation: Operation | undefined;
  readonly username: string | undefined;
  readonly answer: Answer;
  /** Seconds. */
  readonly elapsed: number;
}

/** Log of an answered request, successful or not. */
export function requestLog({
  time,
  requestID,
  method,
  operation,
  username,
  answer,
  elapsed,
}: LoggedRequest): Log {
  const what = `${method} ${operation?.path ?? 'of an unknown address'}`;
  return {
    ...sourceOf(operation),
    time,
    ...verdict(answer, what),
    className: 'logquarry.emulator.RequestHandler',
    methodName: operation?.name ?? 'notFound',
    ...(username !== undefined && { username }),
    requestID,
    elapsed,
  };
}

function sourceOf(operation: Operation | undefined): Log {
  switch (operation?.name) {
    case 'generateToken':
    case 'revokeToken':
    case 'self':
    case 'portal':
    case 'portalServers':
    case 'portalUrls':
    case 'adminToken':
    case 'sharingInfo':
    case 'appAccess':
      return sharing;
    case 'serverInfo':
    case 'adminInfo':
    case 'restServices':
    case 'restFolder':
      return restCatalog;
    case 'catalog':
      return soapCatalog;
    default:
      return admin;
  }
}

function verdict(answer: Answer, what: string): Log {
  if (answer.kind === 'soap' && !answer.failure) {
    return { logLevel: 'FINE', logCode: activityCodes.soapProcessed, msg: `${what} was processed.` };
  }
  if (answer.kind === 'text' && 400 <= answer.status) {
    return {
      logLevel: 'SEVERE',
      logCode: activityCodes.failed,
      msg: `${what} failed: HTTP status ${answer.status}.`,
    };
  }
  const failure = 'failure' in answer ? answer.failure : undefined;
  if (!failure) {
    return { logLevel: 'FINE', logCode: activityCodes.answered, msg: `${what} was answered.` };
  }
  const { code = 500, message, details } = failure;
  const reason = joinTexts([message, ...details]);
  return (500 <= code && code < 600) || code < 400
    ? { logLevel: 'SEVERE', logCode: activityCodes.failed, msg: `${what} failed: ${reason}` }
    : { logLevel: 'WARNING', logCode: codeOf(code), msg: `${what} was refused with ${code}: ${reason}` };
}

function codeOf(failure: number): number {
  switch (failure) {
    case 403:
      return activityCodes.forbidden;
    case 404:
      return activityCodes.notFound;
    case 498:
    case 499:
      return activityCodes.badToken;
    default:
      return activityCodes.badRequest;
  }
}

/** Log of a sign-in; undefined `username`: of a refused one. */
export function signInLog(time: number, requestID: string, username: string | undefined): Log {
  const base: Log = {
    ...sharing,
    time,
    className: 'logquarry.emulator.TokenService',
    methodName: 'generateToken',
    requestID,
  };
  return username === undefined
    ? {
        ...base,
        logLevel: 'WARNING',
        logCode: activityCodes.signInRefused,
        msg: 'Sign-in was refused: wrong user name or password.',
      }
    : {
        ...base,
        logLevel: 'INFO',
        logCode: activityCodes.signedIn,
        msg: `User '${username}' signed in.`,
        username,
      };
}

/** Facts about a job in its logs. */
export interface LoggedJob {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly requestID: string;
}

/** Log of a submitted job. */
export function jobSubmittedLog(time: number, job: LoggedJob): Log {
  return {
    ...jobLog(time, job),
    logLevel: 'INFO',
    logCode: activityCodes.jobSubmitted,
    msg: `Job '${job.name}' was submitted: ${job.id}.`,
  };
}

/** Log of the end of a job. */
export function jobEndedLog(
  time: number,
  job: LoggedJob & { readonly submitted: number },
  outcome: Outcome,
): Log {
  const milliseconds = time - job.submitted;
  const base: Log = { ...jobLog(time, job), elapsed: milliseconds / 1000 };
  return 'bytes' in outcome
    ? {
        ...base,
        logLevel: 'INFO',
        logCode: activityCodes.jobCompleted,
        msg: `Job '${job.name}' completed with ${outcome.logs} logs. Elapsed time '${milliseconds}' ms: ${job.id}.`,
      }
    : {
        ...base,
        logLevel: 'SEVERE',
        logCode: activityCodes.jobFailed,
        msg: `Job '${job.name}' ended as ${outcome.state}: ${joinTexts([job.id, ...outcome.messages])}.`,
      };
}

function jobLog(time: number, { username, requestID }: LoggedJob): Log {
  return {
    ...admin,
    time,
    className: 'logquarry.emulator.JobRunner',
    methodName: 'run',
    username,
    requestID,
  };
}

/** Log of an internal error of the deployment. */
export function crashLog(time: number, requestID: string, error: unknown): Log {
  const known = error instanceof Error ? error : new Error(String(error));
  return {
    ...admin,
    time,
    logLevel: 'SEVERE',
    logCode: activityCodes.failed,
    msg: `Internal error: ${known.message}`,
    className: 'logquarry.emulator.RequestHandler',
    methodName: 'run',
    requestID,
    ...(known.stack && { stackTraces: known.stack }),
  };
}

/** Logs of changes that administrators make, in the format of all others. */

const administrationLogsOwn = {
  machine: 'reference-deployment',
  process: '1',
  source: 'Enterprise Admin',
} as const;

/** Codes of these logs, from the deployment's own range. Logs of an upgrade have the codes of its messages. */
const administrationCodes = {
  logSettingsEdited: 1315,
  logsCleaned: 1316,
  templateEdited: 1320,
  fileUploaded: 1330,
  uploadDeleted: 1331,
} as const;

/** A change: its object, its user and its request. */
interface AdministrativeChange {
  readonly id: string;
  readonly username: string;
  readonly requestID: string;
}

/** Log of an edit of a default property template. */
export function templateEditedLog(time: number, { id, username, requestID }: AdministrativeChange): Log {
  return {
    ...administrationLogsOwn,
    time,
    logLevel: 'INFO',
    logCode: administrationCodes.templateEdited,
    msg: `Default properties of template '${id}' were edited.`,
    className: 'logquarry.emulator.DefaultProperties',
    methodName: 'edit',
    username,
    requestID,
  };
}

/** Log of an uploaded file. The file name is not logged, because anyone can choose it. */
export function fileUploadedLog(time: number, { id, username, requestID }: AdministrativeChange): Log {
  return {
    ...administrationLogsOwn,
    time,
    logLevel: 'INFO',
    logCode: administrationCodes.fileUploaded,
    msg: `File was uploaded: ${id}.`,
    className: 'logquarry.emulator.Uploads',
    methodName: 'upload',
    username,
    requestID,
  };
}

/** Log of the deletion of an upload. */
export function uploadDeletedLog(time: number, { id, username, requestID }: AdministrativeChange): Log {
  return {
    ...administrationLogsOwn,
    time,
    logLevel: 'INFO',
    logCode: administrationCodes.uploadDeleted,
    msg: `Upload was deleted: ${id}.`,
    className: 'logquarry.emulator.Uploads',
    methodName: 'delete',
    username,
    requestID,
  };
}

/** Log of an edit of the log settings; `id` is the new level. */
export function logSettingsEditedLog(time: number, { id, username, requestID }: AdministrativeChange): Log {
  return {
    ...administrationLogsOwn,
    time,
    logLevel: 'INFO',
    logCode: administrationCodes.logSettingsEdited,
    msg: `Log settings were edited: the level is ${id}.`,
    className: 'logquarry.emulator.LogSettings',
    methodName: 'edit',
    username,
    requestID,
  };
}

/** Log of the deletion of logs; `id` is their number. */
export function logsCleanedLog(time: number, { id, username, requestID }: AdministrativeChange): Log {
  return {
    ...administrationLogsOwn,
    time,
    logLevel: 'INFO',
    logCode: administrationCodes.logsCleaned,
    msg: `Logs were deleted: ${id}.`,
    className: 'logquarry.emulator.LogSettings',
    methodName: 'clean',
    username,
    requestID,
  };
}

/** Log of a message of an upgrade; `last` marks its final message. */
export function upgradeLog(
  { message, code, when }: TimedMessage,
  { username, requestID, failsAfter }: UpgradeRun,
  last: boolean,
): Log {
  return {
    ...administrationLogsOwn,
    time: when,
    logLevel: last && failsAfter !== undefined ? 'SEVERE' : 'INFO',
    logCode: code,
    msg: message,
    className: 'logquarry.emulator.Upgrader',
    methodName: 'run',
    username,
    requestID,
  };
}
