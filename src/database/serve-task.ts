import type { FromChild, SerializedError, ToChild } from './messages.ts';
import { hasProc } from './resident-memory.ts';
import { messageOf } from './store-error.ts';

/** Connects a task in a child process with its parent. */
export interface TaskContext {
  /** Aborts when the parent stops the task. */
  readonly signal: AbortSignal;
  /** Asks the parent and resolves with its answer. One question at a time. */
  readonly ask: (question: unknown) => Promise<unknown>;
  /** Reports memory that the task may use beside the base limit. Bytes. */
  readonly reportMemory: (bytes: number) => void;
}

/** Milliseconds between reports of the resident memory. */
const reportInterval = 50;

/**
 * Makes this process the child that runs one task of `runInChild`. Sends the items of `work` one at a time, and
 * makes the next while the parent handles the last. The process ends with the task or with its parent.
 */
export function serveTask(work: (task: unknown, serving: TaskContext) => AsyncIterable<unknown>): void {
  const controller = new AbortController();
  let takeAnswer = (_answer: unknown): void => {};
  let resume = (): void => {};
  // The parent is gone. Native threads may run for long, and only a signal ends them at once.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.on('message', (message: ToChild) => {
    if (message.kind === 'task') void serve(message.task);
    else if (message.kind === 'answer') takeAnswer(message.answer);
    else if (message.kind === 'next') resume();
    else controller.abort(new Error('The parent stopped the task'));
  });
  if (!hasProc)
    setInterval(() => send({ kind: 'resident', bytes: process.memoryUsage.rss() }), reportInterval).unref();

  async function serve(task: unknown): Promise<void> {
    let taken: Promise<void> = Promise.resolve();
    const serving = {
      signal: controller.signal,
      ask,
      reportMemory: (bytes: number) => send({ kind: 'memory', bytes }),
    };
    try {
      for await (const item of work(task, serving)) {
        await taken;
        taken = new Promise((resolve) => {
          resume = resolve;
        });
        send({ kind: 'item', item });
      }
      await taken;
      send({ kind: 'end' });
    } catch (error) {
      send({ kind: 'failure', failure: toFailure(error) });
    }
  }

  function ask(question: unknown): Promise<unknown> {
    return new Promise((resolve) => {
      takeAnswer = resolve;
      send({ kind: 'question', question });
    });
  }
}

function send(message: FromChild): void {
  process.send?.(message);
}

function toFailure(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { name: 'Error', message: messageOf(error) };
  const { name, message } = error;
  return { name, message, ...('code' in error && { code: String(error.code) }) };
}
