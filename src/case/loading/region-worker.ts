/** Entry point of a thread that reads regions of NDJSON: each message is a task, answered by its records. */
import { parentPort } from 'node:worker_threads';
import { buffersOf } from '../rows/batches.ts';
import { type RegionAnswer, type RegionTask, regionReader } from './read-regions.ts';

const read = regionReader();

parentPort?.on('message', (task: RegionTask) => {
  const batch = read(task);
  const memory = task.region.bytes.buffer;
  const answer: RegionAnswer = { batch, memory };
  const buffers = [...buffersOf(batch.logs), ...buffersOf(batch.unreadable)];
  parentPort?.postMessage(answer, memory instanceof ArrayBuffer ? [memory, ...buffers] : buffers);
});
