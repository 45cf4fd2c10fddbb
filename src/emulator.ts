/// <reference lib="esnext.disposable" preserve="true" />

/**
 * The reference deployment: a function from a request to its response, and logs to put into it.
 *
 * @module logquarry/emulator
 */
export type {
  Account,
  ArchiveLayout,
  ExportRules,
  OperationName,
  Pace,
  Privilege,
  UpgradePace,
} from './emulator/index.ts';
export {
  BrokenConnection,
  type BurstOptions,
  burstLogs,
  type Crowd,
  createDeployment,
  type Deployment,
  type DeploymentOptions,
  deploymentVersions,
  type Effect,
  type Fault,
  fewestIncidentLogs,
  type IncidentOptions,
  incidentEnd,
  incidentLogs,
  type LogFormat,
  logFormats,
  readScenario,
  type Scenario,
  type Served,
  type ServeOptions,
  StateError,
  scenarioOptions,
  serveDeployment,
  writeLogFile,
  writeLogs,
} from './emulator/index.ts';
