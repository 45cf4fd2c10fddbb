export type { Account, Privilege } from './access.ts';
export {
  type ArchiveLayout,
  type LogFormat,
  logFormats,
  writeLogFile,
  writeLogs,
} from './archive.ts';
export { type BurstOptions, burstLogs, type Crowd } from './bursts.ts';
export { createDeployment, type Deployment, type DeploymentOptions } from './deployment.ts';
export {
  fewestIncidentLogs,
  type IncidentOptions,
  incidentEnd,
  incidentLogs,
} from './incident/incident-logs.ts';
export type { Pace } from './jobs.ts';
export { BrokenConnection, type Effect, type Fault, type OperationName } from './operation.ts';
export { readScenario, type Scenario, scenarioOptions } from './scenario.ts';
export { openSearchEngine, type SearchEngine, SearchEngineError } from './search-engine.ts';
export { type Served, type ServeOptions, serveDeployment } from './serve.ts';
export type { ExportRules, UpgradePace } from './site.ts';
export { StateError } from './state.ts';
export { deploymentVersions } from './upgrade.ts';
