import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { messageOf, StoreError, type StoreErrorCode, storeErrorCodes } from './store-error.ts';

/** Limits of a child process. */
interface ChildLimits {
  /** Milliseconds for the whole task; default: unlimited. */
  readonly time?: number | undefined;
  /** Bytes of resident memory, in addition to the memory that the task reports. */
  readonly memory: number;
}

/** A task for a child process, with its limits. */
interface ChildTask {
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

  constructor(limit: 'time' | 'memory', max: number) {
    super(`The ${limit} limit of ${max} was exceeded`);
    this.limit = limit;
    this.maximum = max;
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
    const max = limits.memory + allowed;
    if (max < bytes) fail(new LimitExceeded('memory', max));
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

/** A message to a child process. The first one is its task. */
type ToChild =
  | { readonly kind: 'task'; readonly task: unknown }
  | { readonly kind: 'answer'; readonly answer: unknown }
  /** Acknowledges the last item. */
  | { readonly kind: 'next' }
  /** Requests an orderly end, soon. */
  | { readonly kind: 'stop' };

/** A message from a child process. After each item it waits for a `next`. */
type FromChild =
  | { readonly kind: 'item'; readonly item: unknown }
  | { readonly kind: 'question'; readonly question: unknown }
  /** Additional memory that the task may use beside the base limit. Bytes. */
  | { readonly kind: 'memory'; readonly bytes: number }
  /** Resident memory of the process, if the parent cannot read it. Bytes. */
  | { readonly kind: 'resident'; readonly bytes: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'failure'; readonly failure: SerializedError };

/** An error as it is passed between processes. */
interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
}

/** Reports if the system has `/proc`, as Linux does, from which the memory of other processes can be read. */
const hasProc: boolean = existsSync('/proc/self/status');

/** Returns the resident memory of a process in bytes; undefined if it has ended, or without `/proc`. */
function residentMemory(pid: number): number | undefined {
  if (!hasProc) return undefined;
  try {
    const [, kilobytes] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

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
