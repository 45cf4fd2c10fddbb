import { type Command, toCommand } from './command-line/command.ts';
import { logsQuerySpec, logsSearchSpec, logsSettingsSpec } from './specs/deployment-logs.ts';
import {
  healthSpec,
  jobsListSpec,
  jobsShowSpec,
  uploadsAddSpec,
  uploadsDeleteSpec,
  uploadsListSpec,
  uploadsShowSpec,
} from './specs/resources.ts';

const load = () => import('./commands/operations/index.ts');

/** The commands for the logs, jobs, uploads and microservices that a deployment has now, in the order of the help. */
export const deploymentCommands: readonly Command[] = [
  toCommand(logsSettingsSpec, async () => (await load()).logsSettings),
  toCommand(logsQuerySpec, async () => (await load()).logsQuery),
  toCommand(logsSearchSpec, async () => (await load()).logsSearch),
  toCommand(jobsListSpec, async () => (await load()).jobsList),
  toCommand(jobsShowSpec, async () => (await load()).jobsShow),
  toCommand(uploadsListSpec, async () => (await load()).uploadsList),
  toCommand(uploadsShowSpec, async () => (await load()).uploadsShow),
  toCommand(uploadsAddSpec, async () => (await load()).uploadsAdd),
  toCommand(uploadsDeleteSpec, async () => (await load()).uploadsDelete),
  toCommand(healthSpec, async () => (await load()).health),
];
