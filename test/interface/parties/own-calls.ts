import {
  getFolders,
  getMessageFormats,
  getMessageVersion,
  getServiceDescriptions,
  getServiceDescriptionsEx,
  getTokenServiceUrl,
  requiresTokens,
} from '../../../src/client/catalog.ts';
import type { Client } from '../../../src/client/client.ts';
import { openUpload, readJob, submitExport } from '../../../src/client/exports.ts';
import { editPropertyTemplate, readPropertyTemplates } from '../../../src/client/properties.ts';
import {
  checkRollback,
  getUpgradeSettings,
  readAvailableUpdates,
  readUpgradeStatus,
  startUpgrade,
} from '../../../src/client/upgrades.ts';
import { uploadFile } from '../../../src/client/uploads.ts';
import { type ExportRequest, newestLogsRequest } from '../../../src/protocol/export-jobs.ts';
import type { Calls, ExportParameters } from './calls.ts';
import { logsIn } from './logs-in.ts';

/** The operations as our own client calls them. */
export function ownCalls(client: Client): Calls {
  return {
    client: 'own client',
    messageVersion: async () => {
      const { messageVersion, proMessageVersion = '' } = await getMessageVersion(client);
      return { MessageVersion: messageVersion, ProMessageVersion: proMessageVersion };
    },
    messageFormats: () => getMessageFormats(client),
    tokenServiceUrl: () => getTokenServiceUrl(client),
    requiresTokens: () => requiresTokens(client),
    folders: () => getFolders(client),
    services: (folder) =>
      folder === undefined ? getServiceDescriptions(client) : getServiceDescriptionsEx(client, folder),
    submit: (parameters) => submitExport(client, toRequest(parameters)),
    job: async (jobsUrl) => {
      const { resource, resultUrl, messages: _, ...job } = await readJob(client, jobsUrl);
      return {
        ...job,
        ...(resource !== undefined && { resource: { name: resource } }),
        ...(resultUrl !== undefined && { result: { URL: resultUrl } }),
      };
    },
    download: async (upload) => {
      const { zip } = await openUpload(client, { upload, signal: new AbortController().signal });
      return logsIn(new Response(zip));
    },
    templates: () => readPropertyTemplates(client),
    edit: async (template) => {
      await editPropertyTemplate(client, template);
    },
    available: () => readAvailableUpdates(client),
    settings: (id) => getUpgradeSettings(client, id),
    rollbackOptions: () => checkRollback(client),
    upgrade: (request) => startUpgrade(client, request),
    status: () => readUpgradeStatus(client),
    upload: async (file) => (await uploadFile(client, file)).itemID,
  };
}

/** The request of our client that stands for parameters on the wire. What is absent has the default of the interface. */
function toRequest(parameters: ExportParameters): ExportRequest {
  const {
    num = '1000',
    stackTraces = 'false',
    startTime,
    endTime,
    logCode,
    requestIDs,
    ...others
  } = parameters;
  return {
    ...newestLogsRequest,
    num: Number(num),
    stackTraces: stackTraces === 'true',
    ...(startTime !== undefined && { newest: timeOf(startTime) }),
    ...(endTime !== undefined && { oldest: timeOf(endTime) }),
    logCodes: logCode === undefined ? [] : logCode.split(',').map(Number),
    requestIDs: requestIDs === undefined ? [] : requestIDs.split(','),
    sortBy: 'bestMatch',
    ...others,
  };
}

/** Our client sends milliseconds alone, so the other form of a time is read here. */
function timeOf(text: string): number {
  return text.includes('T') ? Date.parse(`${text}Z`) : Number(text);
}
