export { type CollectedResult, collect } from './collector.ts';
export {
  type CollectConfiguration,
  type ConnectionSettings,
  readCollectConfiguration,
  type SourceConfiguration,
} from './configuration.ts';
export { type ServedCollector, serveCollector } from './serve.ts';
export { readStatus, type SourceStatus } from './status.ts';
export { CollectError, type CollectErrorCode, collectErrorCodes } from './store.ts';
export type { CollectTools } from './turn.ts';
