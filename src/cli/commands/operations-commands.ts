export { healthCommand } from './health.ts';
export { jobsListCommand, jobsShowCommand } from './jobs.ts';
export { logsQueryCommand, logsSearchCommand } from './list-logs.ts';
export { logsSettingsCommand } from './log-settings.ts';
export {
  uploadsAddCommand,
  uploadsDeleteCommand,
  uploadsListCommand,
  uploadsShowCommand,
} from './uploads.ts';
