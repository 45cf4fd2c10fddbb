export { health } from './health.ts';
export { jobsList, jobsShow } from './jobs.ts';
export { logsQuery, logsSearch } from './list-logs.ts';
export { logsSettings } from './log-settings.ts';
export { uploadsAdd, uploadsDelete, uploadsList, uploadsShow } from './uploads.ts';
