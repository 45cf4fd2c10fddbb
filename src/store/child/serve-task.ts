import { messageOf } from '../database/store-error.ts';
import type { Failure, FromChild, ToChild } from './messages.ts';
import { hasProc } from './resident-memory.ts';

/** Connects the work of a child process with its parent. */
export interface Serving {
  /** Aborts when the parent wants no more. */
  readonly signal: AbortSignal;
  /** Asks the parent; resolves with its answer. One question at a time. */
  readonly ask: (question: unknown) => Promise<unknown>;
  /** Reports that the work may take this much memory besides what any process takes. Bytes. */
  readonly reportMemory: (bytes: number) => void;
}

/** Milliseconds between reports of the resident memory. */
const reportInterval = 50;

/**
 * Makes this process the child that does one task of `runInChild`: the items of `work` go to the parent, one at a time,
 * and the next one is made while the parent takes the last. The process ends with the task, and with its parent.
 */
export function serveTask(work: (task: unknown, serving: Serving) => AsyncIterable<unknown>): void {
  const controller = new AbortController();
  let takeAnswer = (_answer: unknown): void => {};
  let goOn = (): void => {};
  // Nobody is left to be told, and native threads may run for long: only a signal ends them at once.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.on('message', (message: ToChild) => {
    if (message.kind === 'task') void serve(message.task);
    else if (message.kind === 'answer') takeAnswer(message.answer);
    else if (message.kind === 'next') goOn();
    else controller.abort(new Error('Nobody wants the rest'));
  });
  if (!hasProc)
    setInterval(() => send({ kind: 'resident', bytes: process.memoryUsage.rss() }), reportInterval).unref();

  async function serve(task: unknown): Promise<void> {
    let isTaken: Promise<void> = Promise.resolve();
    const serving = {
      signal: controller.signal,
      ask,
      reportMemory: (bytes: number) => send({ kind: 'memory', bytes }),
    };
    try {
      for await (const item of work(task, serving)) {
        await isTaken;
        isTaken = new Promise((resolve) => {
          goOn = resolve;
        });
        send({ kind: 'item', item });
      }
      await isTaken;
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

function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: messageOf(error) };
  const { name, message } = error;
  return { name, message, ...('code' in error && { code: String(error.code) }) };
}
