import { joinTexts } from '../protocol/index.ts';
import type { Log } from '../records/log.ts';
import type { Outcome } from './jobs/job.ts';
import type { Answer, Operation } from './operation.ts';
import { levelsFrom } from './severity.ts';

/**
 * The deployment's own activity as logs, in the same format as all others. None
 * of them ever holds a password, a token, a query of an address or a name that
 * is no known user's: such a name may be a password in the wrong field.
 */

/** What every log of the deployment itself carries. */
const own = { machine: 'reference-deployment', process: '1' } as const;
const admin: Log = { ...own, source: 'Enterprise Admin' };
const sharing: Log = { ...own, source: 'Sharing' };
const restCatalog: Log = { ...own, source: 'Rest Catalog' };
const soapCatalog: Log = { ...own, source: 'Soap Catalog' };

/** The codes of the deployment's own logs; those of requests are the ones that are known from the field notes. */
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

/** Whether a log is written while this is the current level: it is, when it is as severe or more so. */
export function isRecorded({ logLevel }: Log, current: string): boolean {
  return levelsFrom(current).some((level) => level === logLevel);
}

/** The deployment has started with so many logs. */
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

/** One request and how it was answered. */
export interface Answered {
  /** When the answer was ready, milliseconds since the epoch. */
  readonly time: number;
  readonly requestID: string;
  readonly method: string;
  /** Absent for an address that leads to nothing. */
  readonly operation: Operation | undefined;
  readonly username: string | undefined;
  readonly answer: Answer;
  /** Seconds. */
  readonly elapsed: number;
}

/** A request was answered, well or not. */
export function requestLog({ time, requestID, method, operation, username, answer, elapsed }: Answered): Log {
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
    case 'sharingInfo':
    case 'appAccess':
      return sharing;
    case 'serverInfo':
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
  const words = joinTexts([message, ...details]);
  return (500 <= code && code < 600) || code < 400
    ? { logLevel: 'SEVERE', logCode: activityCodes.failed, msg: `${what} failed: ${words}` }
    : { logLevel: 'WARNING', logCode: codeOf(code), msg: `${what} was refused with ${code}: ${words}` };
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

/** Someone signed in; without a name: was refused. */
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

/** What a log says of the job it is about. */
export interface JobOfLog {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly requestID: string;
}

/** A job was submitted. */
export function jobSubmittedLog(time: number, job: JobOfLog): Log {
  return {
    ...jobLog(time, job),
    logLevel: 'INFO',
    logCode: activityCodes.jobSubmitted,
    msg: `Job '${job.name}' was submitted: ${job.id}.`,
  };
}

/** A job ended. */
export function jobEndedLog(
  time: number,
  job: JobOfLog & { readonly submitted: number },
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

function jobLog(time: number, { username, requestID }: JobOfLog): Log {
  return {
    ...admin,
    time,
    className: 'logquarry.emulator.JobRunner',
    methodName: 'run',
    username,
    requestID,
  };
}

/** Something went wrong that should not: a fault of the deployment itself. */
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
