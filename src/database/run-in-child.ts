import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { FromChild, SerializedError, ToChild } from './messages.ts';
import { residentMemory } from './resident-memory.ts';
import { StoreError, type StoreErrorCode, storeErrorCodes } from './store-error.ts';

/** Limits of a child process. */
export interface ChildLimits {
  /** Milliseconds for the whole task; default: unlimited. */
  readonly time?: number | undefined;
  /** Bytes of resident memory, in addition to the memory that the task reports. */
  readonly memory: number;
}

/** A task for a child process, with its limits. */
export interface ChildTask {
  /** The module that the child runs, which calls `serveTask`. */
  readonly program: URL;
  /** Sent as a structured clone, as are the results. */
  readonly task: unknown;
  readonly limits: ChildLimits;
  readonly signal?: AbortSignal | undefined;
  /** Answers a question of the task. If it throws, the task ends. */
  readonly answer?: (question: unknown) => unknown;
}

/** A child process was ended because it exceeded a limit. */
export class LimitExceeded extends Error {
  override readonly name = 'LimitExceeded';
  readonly limit: 'time' | 'memory';
  /** The limit: milliseconds or bytes. */
  readonly maximum: number;

  constructor(limit: 'time' | 'memory', most: number) {
    super(`The ${limit} limit of ${most} was exceeded`);
    this.limit = limit;
    this.maximum = most;
  }
}

/** A child process ended before its task was complete: it crashed or was killed. */
export class ChildEnded extends Error {
  override readonly name = 'ChildEnded';
  /** A signal name or an exit code. */
  readonly reason: string;

  constructor(by: string) {
    super(`A child process ended early: ${by}`);
    this.reason = by;
  }
}

/** Milliseconds between two checks of the memory of a child, which allocates some 100 MB meanwhile at most. */
const checkInterval = 25;

/** Milliseconds that a child has for an orderly end before it is killed. */
const gracePeriod = 500;

/**
 * Runs a task in a process of its own and yields its items, of which at most two are in memory. The process has
 * ended when this does, native code included.
 *
 * Rejects with `LimitExceeded`, the reason of the signal, the `StoreError` of the task, or what `answer`
 * throws. Without `/proc` the child reports its memory itself, which is late while it is busy.
 */
export async function* runInChild(childTask: ChildTask): AsyncGenerator<unknown, void, undefined> {
  childTask.signal?.throwIfAborted();
  const child = startChild(childTask.program);
  const inbox = openInbox(child);
  const stopWatching = watchLimits(child, childTask, inbox.fail);
  const send = (message: ToChild) => child.connected && child.send(message, () => undefined);
  try {
    send({ kind: 'task', task: childTask.task });
    for (;;) {
      const message = await inbox.next();
      if (message.kind === 'item') {
        yield message.item;
        send({ kind: 'next' });
      } else if (message.kind === 'question')
        send({ kind: 'answer', answer: await childTask.answer?.(message.question) });
      else if (message.kind === 'failure') throw toError(message.failure);
      else if (message.kind === 'end') return;
    }
  } finally {
    stopWatching();
    send({ kind: 'stop' });
    await endChild(child);
  }
}

/** Starts a process group of its own: Ctrl-C in a terminal reaches the parent alone, which decides. */
function startChild(program: URL): ChildProcess {
  return fork(program, {
    serialization: 'advanced',
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Queues the messages of a child, up to the failure that ends them. */
function openInbox(child: ChildProcess) {
  const messages: FromChild[] = [];
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  child.on('message', (message: FromChild) => {
    messages.push(message);
    wake();
  });
  child.on('error', fail);
  child.on('exit', (code, signal) => fail(new ChildEnded(signal ?? `exit code ${code}`)));
  return { next, fail };

  /** Ends the queue with an error; the first one counts. */
  function fail(error: unknown): void {
    failure ??= { error };
    wake();
  }

  async function next(): Promise<FromChild> {
    for (;;) {
      const message = messages.shift();
      if (message) return message;
      if (failure) throw failure.error;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}

/** Calls `fail` when a child exceeds its limits or the signal aborts. Returns the function that ends the checks. */
function watchLimits(
  child: ChildProcess,
  { limits, signal }: ChildTask,
  fail: (error: unknown) => void,
): () => void {
  let allowed = 0;
  const check = (bytes = 0) => {
    const most = limits.memory + allowed;
    if (most < bytes) fail(new LimitExceeded('memory', most));
  };
  child.on('message', (message: FromChild) => {
    if (message.kind === 'memory') allowed = message.bytes;
    else if (message.kind === 'resident') check(message.bytes);
  });
  const checks = setInterval(
    () => child.pid !== undefined && check(residentMemory(child.pid)),
    checkInterval,
  );
  const { time } = limits;
  const timer =
    time === undefined ? undefined : setTimeout(() => fail(new LimitExceeded('time', time)), time);
  const abort = () => fail(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  return () => {
    clearInterval(checks);
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
}

/** Waits until a stopped child has ended; kills it after the grace period. */
async function endChild(child: ChildProcess): Promise<void> {
  const hasExited = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  if (hasExited()) return;
  const exited = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), gracePeriod);
  await exited;
  clearTimeout(timer);
}

/** Restores the error of a child, as far as callers branch on it. */
function toError({ name, message, code }: SerializedError): Error {
  if (name === 'StoreError' && isStoreErrorCode(code)) return new StoreError(code, message);
  return new Error(message);
}

function isStoreErrorCode(code: string | undefined): code is StoreErrorCode {
  return code !== undefined && Object.hasOwn(storeErrorCodes, code);
}
