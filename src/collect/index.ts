export { type CollectedResult, collect } from './collector.ts';
export {
  type CollectConfiguration,
  readCollectConfiguration,
} from './configuration.ts';
export { type ServedCollector, serveCollector } from './serve.ts';
export { readStatus, type SourceStatus } from './status.ts';
export type { CollectTools } from './turn.ts';
