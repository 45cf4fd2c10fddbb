/// <reference lib="esnext.disposable" preserve="true" />

/**
 * What a program needs to call a deployment: one function for each operation of
 * the interface, the values they take and give back, and the rules by which a
 * property template and the settings of an upgrade are checked before they are sent.
 *
 * ```ts
 * const addresses = addressesOf('https://gis.example.com/arcgis');
 * if ('problem' in addresses) throw new Error(addresses.problem);
 * await using client = openClient({ addresses, credentials: { kind: 'password', username, password } });
 * for (const service of await getServiceDescriptions(client)) console.log(sourceOf(service));
 * ```
 *
 * @module logquarry/client
 */
export * from '../administration/index.ts';
export { ExactNumber, readExactJson, writeExactJson } from '../json/index.ts';
export {
  type Addresses,
  addressesOf,
  type Container,
  type ExportRequest,
  introducedIn,
  isReady,
  type JobResource,
  type LogPage,
  type LogSettings,
  lenientNumber,
  logAgeDays,
  type Microservice,
  type MicroserviceStatus,
  maxLogs,
  type NamedFile,
  type Numeric,
  newestLogsRequest,
  type PodPlacementPolicy,
  type ProfileName,
  type PropertyTemplate,
  type Replicas,
  type Resources,
  type RollbackRequest,
  rollbackMessageCodes,
  type ServiceDescription,
  type SubmittedJob,
  sourceOf,
  stageOf,
  type UnreadableTemplate,
  type Update,
  type UpgradeMessage,
  type UpgradeRequest,
  type UpgradeSetting,
  type UpgradeStatus,
  type UploadedItem,
  upgradeMessageCodes,
  upgradeStageOf,
  type VendorProfile,
  vendorProfiles,
  versionInWords,
  volumesOf,
} from '../protocol/index.ts';
export { pauseAfter } from './back-off.ts';
export * from './catalog.ts';
export * from './client.ts';
export * from './client-error.ts';
export type { Clock } from './clock.ts';
export { countAtDeployment } from './count-logs.ts';
export { deploymentTime } from './deployment-time.ts';
export * from './download.ts';
export * from './fetch-token.ts';
export { type Identity, isEncryptedKey } from './identity.ts';
export { isOtherRun } from './is-other-run.ts';
export * from './logs/list-logs.ts';
export * from './logs/log-settings.ts';
export { type NetworkOptions, openNetwork } from './network.ts';
export {
  describeUnreadable,
  editPropertyTemplate,
  type ReadTemplatesOptions,
  readPropertyTemplate,
  readPropertyTemplates,
  type TemplateToSend,
} from './properties.ts';
export { type ProxyRules, toProxyAddress } from './proxy.ts';
export { readJob } from './read-job.ts';
export { requestTimeStamp } from './request-time-stamp.ts';
export * from './resources/jobs.ts';
export * from './resources/microservices.ts';
export * from './resources/uploads.ts';
export { retry } from './retry.ts';
export type { PasswordCredentials } from './sign-in.ts';
export { startRollback } from './start-rollback.ts';
export { startUpgrade } from './start-upgrade.ts';
export { submitExport } from './submit-export.ts';
export {
  lookingTime,
  type StartedUpgrade,
  type StartOptions,
  type StartStep,
  upgradeTokenLife,
} from './submit-upgrade.ts';
export * from './transport.ts';
export * from './upgrade-resources.ts';
export * from './upload-file.ts';
export * from './watch-upgrade.ts';
