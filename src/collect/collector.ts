import { ClientError } from '../client/index.ts';
import { makeFolder, StoreError } from '../database/index.ts';
import { ExportError } from '../export/index.ts';
import type { CollectConfiguration, SourceConfiguration } from './configuration.ts';
import { CollectError, lockSource, newMemory, readMemory, writeMemory } from './store.ts';
import { type CollectedSource, type CollectTools, codeOf, runTurn } from './turn.ts';

/** How a collector runs. */
export interface CollectRun {
  /** True to end after all that is missing was asked for once. */
  readonly once: boolean;
  /** Ends the run after the turn that is under way: a configuration is read again then. */
  readonly pause?: AbortSignal | undefined;
  /** Runs once all locks are held. */
  readonly onStart?: (() => Promise<void>) | undefined;
}

/** How the last turns of a run of one source ended. */
export interface CollectedResult {
  readonly source: string;
  /** The failure of the last turn; undefined if it had none. */
  readonly failure: Error | undefined;
}

/**
 * Collects all sources of a configuration, side by side, until a signal ends it. A failure of a source is reported, and
 * the next turn tries again. Rejects with `SOURCE_LOCKED` if another collector has a source, before anything else, and
 * with the reason of `tools.signal`.
 */
export async function collect(
  configuration: CollectConfiguration,
  tools: CollectTools,
  run: CollectRun,
): Promise<readonly CollectedResult[]> {
  await makeFolder(configuration.store, { mode: 0o700 });
  const locks: AsyncDisposable[] = [];
  try {
    for (const { name } of configuration.sources) locks.push(await lockSource(configuration.store, name));
    const sources: CollectedSource[] = [];
    for (const source of configuration.sources)
      sources.push(await openCollected(configuration, source, tools));
    await run.onStart?.();
    return await followAll(sources, run);
  } finally {
    for (const lock of locks) await lock[Symbol.asyncDispose]();
  }
}

/** Follows sources side by side. A bug in one ends the others after their turn, and is thrown then. */
async function followAll(
  sources: readonly CollectedSource[],
  { once, pause }: CollectRun,
): Promise<readonly CollectedResult[]> {
  const failed = new AbortController();
  const any = AbortSignal.any(pause ? [pause, failed.signal] : [failed.signal]);
  const results = await Promise.allSettled(
    sources.map((source) =>
      follow(source, { once, pause: any }).catch((error: unknown) => {
        failed.abort();
        throw error;
      }),
    ),
  );
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/**
 * Opens a source of a store: what is known of it, which its cases can replace. The caller holds its lock.
 */
export async function openCollected(
  configuration: CollectedSource['configuration'],
  source: SourceConfiguration,
  tools: CollectTools,
): Promise<CollectedSource> {
  const fresh = newMemory(tools.clock.now());
  const { pid, host, started } = fresh;
  const known = await readMemory(configuration.store, source.name);
  const memory = { ...fresh, ...known, pid, host, started };
  await writeMemory(configuration.store, source.name, memory);
  return { source, configuration, tools, memory };
}

async function follow(collected: CollectedSource, { once, pause }: CollectRun): Promise<CollectedResult> {
  const { source, tools } = collected;
  const { clock, signal } = tools;
  for (;;) {
    const due = clock.now() + source.interval;
    const { isLeft, failure } = await attempt(collected, due);
    if (pause?.aborted || (once && !isLeft)) return { source: source.name, failure };
    if (!isLeft) await sleepUntil(due, { clock, signals: [signal, pause] });
    signal?.throwIfAborted();
    if (pause?.aborted) return { source: source.name, failure };
  }
}

/** Runs a turn and reports a failure of the world. A bug is thrown, and so is the reason of the signal. */
async function attempt(
  collected: CollectedSource,
  due: number,
): Promise<{ readonly isLeft: boolean; readonly failure: Error | undefined }> {
  const { tools, source } = collected;
  try {
    return { isLeft: await runTurn(collected, due), failure: undefined };
  } catch (error) {
    if (tools.signal?.aborted || !(error instanceof Error) || !isOfTheWorld(error)) throw error;
    tools.report(`${source.name}: ${error.message} [${codeOf(error)}]`);
    return { isLeft: false, failure: error };
  }
}

function isOfTheWorld(error: Error): boolean {
  const isKnown = [ClientError, ExportError, StoreError, CollectError].some((kind) => error instanceof kind);
  // A password file that is missing today may be there tomorrow.
  return isKnown || error.name === 'UsageError' || 'syscall' in error;
}

/** Sleeps until a time, or until one of the signals ends it. */
async function sleepUntil(
  due: number,
  {
    clock,
    signals,
  }: { readonly clock: CollectTools['clock']; readonly signals: readonly (AbortSignal | undefined)[] },
): Promise<void> {
  const given = signals.filter((signal) => signal !== undefined);
  const any = AbortSignal.any(given);
  await clock.sleep(Math.max(0, due - clock.now()), any).catch((error: unknown) => {
    if (!any.aborted) throw error;
  });
}
