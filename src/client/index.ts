export {
  type Client,
  type ClientOptions,
  type Credentials,
  type NoCredentials,
  openClient,
  type SuppliedCredentials,
  type TokenCredentials,
} from './calls/client.ts';
export { deploymentTime } from './calls/deployment-time.ts';
export { countAtDeployment } from './exports/count-logs.ts';
export { type Downloaded, type DownloadLimits, type DownloadOptions, download } from './exports/download.ts';
export { readJob } from './exports/read-job.ts';
export { submitExport } from './exports/submit-export.ts';
export { logPages, type PageOptions, queryLogs, type ReadPage, searchLogs } from './logs/list-logs.ts';
export { editLogSettings, readLogSettings } from './logs/log-settings.ts';
export {
  type CatalogOptions,
  getFolders,
  getMessageFormats,
  getMessageVersion,
  getServiceDescriptions,
  getServiceDescriptionsEx,
  getTokenServiceUrl,
  requiresTokens,
} from './resources/catalog.ts';
export { jobAddress, readJobIds } from './resources/jobs.ts';
export { readMicroserviceStatus, readMicroservices } from './resources/microservices.ts';
export {
  describeUnreadable,
  editPropertyTemplate,
  type ReadTemplatesOptions,
  readPropertyTemplate,
  readPropertyTemplates,
  type TemplateToSend,
} from './resources/properties.ts';
export { requestTimeStamp } from './resources/request-time-stamp.ts';
export { type UploadOptions, uploadFile } from './resources/upload-file.ts';
export { deleteUpload, readUpload, readUploads } from './resources/uploads.ts';
export { type FetchedToken, type FetchTokenOptions, fetchToken } from './sign-in/fetch-token.ts';
export type { PasswordCredentials } from './sign-in/sign-in.ts';
export { pauseAfter } from './transport/back-off.ts';
export { type Identity, isEncryptedKey } from './transport/client-certificate.ts';
export {
  addressWithoutQuery,
  ClientError,
  type ClientErrorCode,
  type ClientErrorOptions,
  clientErrorCodes,
  type Refusal,
} from './transport/client-error.ts';
export type { Clock } from './transport/clock.ts';
export { type NetworkOptions, openNetwork } from './transport/network.ts';
export { type ProxyRules, toProxyAddress } from './transport/proxy.ts';
export { retry } from './transport/retry.ts';
export { type Layer, type Transport, withLayers } from './transport/transport.ts';
export { isOtherRun } from './upgrades/is-other-run.ts';
export { startRollback } from './upgrades/start-rollback.ts';
export { startUpgrade } from './upgrades/start-upgrade.ts';
export {
  lookingTime,
  type StartedUpgrade,
  type StartOptions,
  type StartStep,
  upgradeTokenLife,
} from './upgrades/submit-upgrade.ts';
export {
  checkRollback,
  checkUpdateId,
  getUpgradeSettings,
  readAvailableUpdates,
  readInstalledUpdates,
  readUpgradeStatus,
  receiveUpgradeStatus,
} from './upgrades/upgrade-resources.ts';
export { type UpgradeEvent, type WatchOptions, watchUpgrade } from './upgrades/watch-upgrade.ts';
