import type { Log } from '../records/log.ts';
import type { UpgradeRun } from './state/state.ts';
import type { TimedMessage } from './upgrade/progress.ts';

/** The logs of what administrators change, in the format of all others. */

const own = { machine: 'reference-deployment', process: '1', source: 'Enterprise Admin' } as const;

/** The codes of these logs, of the deployment's own range. Those of an upgrade are the ones of its messages. */
export const administrationCodes = {
  logSettingsEdited: 1315,
  templateEdited: 1320,
  fileUploaded: 1330,
  uploadDeleted: 1331,
} as const;

/** What was changed, by whom, in which request. */
export interface Change {
  readonly id: string;
  readonly username: string;
  readonly requestID: string;
}

/** A default property template was edited. */
export function templateEditedLog(time: number, { id, username, requestID }: Change): Log {
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

/** A file was uploaded. Its name, which anyone can choose, is not logged. */
export function fileUploadedLog(time: number, { id, username, requestID }: Change): Log {
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

/** An upload was deleted. */
export function uploadDeletedLog(time: number, { id, username, requestID }: Change): Log {
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

/** The log settings were edited; `id` is the new level. */
export function logSettingsEditedLog(time: number, { id, username, requestID }: Change): Log {
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

/** An upgrade wrote a message. */
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
