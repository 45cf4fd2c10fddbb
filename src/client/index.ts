/// <reference lib="esnext.disposable" preserve="true" />

/**
 * The calls of a deployment: one function for each operation of the interface, with its parameters and
 * results. Rules check a property template and the settings of an upgrade before they are sent.
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
export * from './calls/client.ts';
export { deploymentTime } from './calls/deployment-time.ts';
export { countAtDeployment } from './exports/count-logs.ts';
export * from './exports/download.ts';
export { readJob } from './exports/read-job.ts';
export { submitExport } from './exports/submit-export.ts';
export * from './logs/list-logs.ts';
export * from './logs/log-settings.ts';
export * from './resources/catalog.ts';
export * from './resources/jobs.ts';
export * from './resources/microservices.ts';
export {
  describeUnreadable,
  editPropertyTemplate,
  type ReadTemplatesOptions,
  readPropertyTemplate,
  readPropertyTemplates,
  type TemplateToSend,
} from './resources/properties.ts';
export { requestTimeStamp } from './resources/request-time-stamp.ts';
export * from './resources/upload-file.ts';
export * from './resources/uploads.ts';
export * from './sign-in/fetch-token.ts';
export type { PasswordCredentials } from './sign-in/sign-in.ts';
export { pauseAfter } from './transport/back-off.ts';
export { type Identity, isEncryptedKey } from './transport/client-certificate.ts';
export * from './transport/client-error.ts';
export type { Clock } from './transport/clock.ts';
export { type NetworkOptions, openNetwork } from './transport/network.ts';
export { type ProxyRules, toProxyAddress } from './transport/proxy.ts';
export { retry } from './transport/retry.ts';
export * from './transport/transport.ts';
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
export * from './upgrades/upgrade-resources.ts';
export * from './upgrades/watch-upgrade.ts';
