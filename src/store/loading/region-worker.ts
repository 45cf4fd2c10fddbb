/** What runs in a thread that reads regions of NDJSON: each message is a task, and is answered by what was read. */
import { parentPort } from 'node:worker_threads';
import { type RegionTask, regionReader } from './region-batch.ts';

const read = regionReader();

parentPort?.on('message', (task: RegionTask) => {
  const batch = read(task);
  const buffers = [batch.logs, batch.unreadable].flatMap(({ numbers, codes }) => [
    numbers.buffer,
    codes.buffer,
  ]);
  parentPort?.postMessage(batch, buffers);
});
