export type { Account, Privilege } from './access/accounts.ts';
export type { ArchiveLayout } from './archive/archive.ts';
export { writeLogFile } from './archive/log-file.ts';
export { type LogFormat, logFormats, writeLogs } from './archive/log-formats.ts';
export { type BurstOptions, burstLogs, type Crowd } from './bursts.ts';
export { createDeployment, type Deployment, type DeploymentOptions } from './deployment.ts';
export {
  fewestIncidentLogs,
  type IncidentOptions,
  incidentEnd,
  incidentLogs,
} from './incident/incident-logs.ts';
export type { Pace } from './jobs/job.ts';
export { readScenario, type Scenario, scenarioOptions } from './scenario.ts';
export { type Served, type ServeOptions, serveDeployment } from './serve.ts';
export { BrokenConnection, type Effect, type Fault } from './site/faults.ts';
export type { OperationName } from './site/operation-name.ts';
export type { ExportRules, UpgradePace } from './site/site.ts';
export { StateError } from './state/open-state.ts';
export { deploymentVersions } from './upgrade/releases.ts';
