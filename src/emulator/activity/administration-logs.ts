import type { Log } from '../../records/index.ts';
import type { UpgradeRun } from '../state/state.ts';
import type { TimedMessage } from '../upgrade/progress.ts';

/** Logs of changes that administrators make, in the format of all others. */

const own = { machine: 'reference-deployment', process: '1', source: 'Enterprise Admin' } as const;

/** Codes of these logs, from the deployment's own range. Logs of an upgrade have the codes of its messages. */
export const administrationCodes = {
  logSettingsEdited: 1315,
  templateEdited: 1320,
  fileUploaded: 1330,
  uploadDeleted: 1331,
} as const;

/** A change: its object, its user and its request. */
export interface AdministrativeChange {
  readonly id: string;
  readonly username: string;
  readonly requestID: string;
}

/** Log of an edit of a default property template. */
export function templateEditedLog(time: number, { id, username, requestID }: AdministrativeChange): Log {
  return {
    ...own,
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
    ...own,
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
    ...own,
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
    ...own,
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

/** Log of a message of an upgrade; `last` marks its final message. */
export function upgradeLog(
  { message, code, when }: TimedMessage,
  { username, requestID, failsAfter }: UpgradeRun,
  last: boolean,
): Log {
  return {
    ...own,
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
