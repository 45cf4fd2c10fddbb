export { healthCommand } from './health.ts';
export { jobsListCommand, jobsShowCommand } from './jobs.ts';
export { logsQueryCommand, logsSearchCommand, logsSettingsCommand } from './logs.ts';
export {
  uploadsAddCommand,
  uploadsDeleteCommand,
  uploadsListCommand,
  uploadsShowCommand,
} from './uploads.ts';
