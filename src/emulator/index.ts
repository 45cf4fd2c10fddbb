/// <reference lib="esnext.disposable" preserve="true" />

/**
 * The reference deployment: a function from a request to its response, and logs to put into it.
 *
 * @module logquarry/emulator
 */
export type { Account, Privilege } from './accounts.ts';
export type { ArchiveLayout } from './archive.ts';
export { type BurstOptions, burstLogs, type Crowd } from './bursts.ts';
export { createDeployment, type Deployment, type DeploymentOptions } from './deployment.ts';
export { BrokenConnection, type Effect, type Fault } from './faults.ts';
export {
  fewestIncidentLogs,
  type IncidentOptions,
  incidentEnd,
  incidentLogs,
} from './incident/incident-logs.ts';
export type { Pace } from './jobs/job.ts';
export { writeLogFile } from './log-file.ts';
export { type LogFormat, logFormats, writeLogs } from './log-formats.ts';
export type { OperationName } from './operation-name.ts';
export { readScenario, type Scenario, scenarioOptions } from './scenario.ts';
export { type Served, type ServeOptions, serveDeployment } from './serve.ts';
export type { ExportRules, UpgradePace } from './site.ts';
export { StateError } from './state/open-state.ts';
export { deploymentVersions } from './upgrade/releases.ts';
