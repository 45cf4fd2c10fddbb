/** Entry point of a thread that makes one segment: each message is a task, which is answered. */
import { parentPort, workerData } from 'node:worker_threads';
import {
  memoryOf,
  type SegmentAnswer,
  type SegmentOrder,
  type SegmentTask,
  segmentMaker,
} from './segment-maker.ts';

const maker = segmentMaker(workerData as SegmentOrder);

parentPort?.on('message', (task: SegmentTask) => {
  const answer = answerTo(task);
  const memory = 'added' in answer ? memoryOf(answer.added.left) : [answer.written.bytes.buffer];
  parentPort?.postMessage(answer, memory);
});

function answerTo(task: SegmentTask): SegmentAnswer {
  return 'batches' in task ? { added: maker.add(task.batches) } : { written: maker.write(task.memory) };
}
