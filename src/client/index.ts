export {
  type CatalogOptions,
  getFolders,
  getMessageFormats,
  getMessageVersion,
  getServiceDescriptions,
  getServiceDescriptionsEx,
  getTokenServiceUrl,
  requiresTokens,
} from './catalog.ts';
export {
  type Client,
  type ClientOptions,
  type Credentials,
  deploymentTime,
  type NoCredentials,
  openClient,
  type SuppliedCredentials,
  type TokenCredentials,
} from './client.ts';
export {
  addressWithoutQuery,
  ClientError,
  type ClientErrorCode,
  type ClientErrorOptions,
  clientErrorCodes,
  type Refusal,
} from './errors.ts';
export {
  countAtDeployment,
  type Downloaded,
  type DownloadLimits,
  type DownloadOptions,
  download,
  jobAddress,
  readJob,
  readJobIds,
  submitExport,
} from './exports.ts';
export {
  editLogSettings,
  logPages,
  type PageOptions,
  queryLogs,
  type ReadPage,
  readLogSettings,
  searchLogs,
} from './logs.ts';
export {
  type Identity,
  isEncryptedKey,
  type NetworkOptions,
  openNetwork,
  type ProxyRules,
  toProxyAddress,
} from './network.ts';
export {
  describeUnreadable,
  editPropertyTemplate,
  type ReadTemplatesOptions,
  readMicroserviceStatus,
  readMicroservices,
  readPropertyTemplate,
  readPropertyTemplates,
  type TemplateToSend,
} from './properties.ts';
export { requestTimeStamp } from './request-time-stamp.ts';
export { type Clock, pauseAfter, retry, systemClock } from './retry.ts';
export {
  type FetchedToken,
  type FetchTokenOptions,
  fetchToken,
  type PasswordCredentials,
} from './sign-in.ts';
export { type Layer, type Transport, withLayers } from './transport.ts';
export {
  checkRollback,
  checkUpdateId,
  getUpgradeSettings,
  isOtherRun,
  readAvailableUpdates,
  readInstalledUpdates,
  readUpgradeStatus,
  receiveUpgradeStatus,
  type StartedUpgrade,
  type StartOptions,
  type StartStep,
  startRollback,
  startUpgrade,
  type UpgradeEvent,
  upgradeTokenLife,
  type WatchOptions,
  watchUpgrade,
} from './upgrades.ts';
export {
  deleteUpload,
  readUpload,
  readUploads,
  type UploadOptions,
  uploadFile,
} from './uploads.ts';
