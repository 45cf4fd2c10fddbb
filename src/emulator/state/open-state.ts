import { readFile, writeFile } from 'node:fs/promises';
import { readExactJson, writeExactJson } from '../../json/index.ts';
import { beginWhole } from '../../store/files/write-whole.ts';
import { type State, stateOf } from './state.ts';

/** What a deployment remembers, and how it changes. */
export interface StateStore {
  readonly read: () => State;
  /** Changes it, and resolves when the change is kept. Changes are kept one after the other, in their order. */
  readonly change: (next: (state: State) => State) => Promise<void>;
}

/** A file that should hold a state holds something else. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly code = 'NO_STATE';
}

/**
 * Opens the state in a file, which is made where it is not there, or one that
 * lives in memory only. The file can be read by its owner only, because it holds
 * what was uploaded.
 */
export async function openState(path: string | undefined, initial: State): Promise<StateStore> {
  let state = path === undefined ? initial : ((await readState(path)) ?? initial);
  let last: Promise<void> = Promise.resolve();
  const keep = async () => {
    if (path === undefined) return;
    // The old state stays whole until the new one is.
    await using file = await beginWhole(path);
    await writeFile(file.temporary, `${writeExactJson(state, 2)}\n`, { mode: 0o600 });
    await file.finish();
  };
  const change: StateStore['change'] = (next) => {
    state = next(state);
    last = last.catch(() => undefined).then(keep);
    return last;
  };
  await change((now) => now);
  return { read: () => state, change };
}

async function readState(path: string): Promise<State | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const state = stateOf(jsonOf(text));
  if (!state) throw new StateError(`The file "${path}" requires the state of a reference deployment as JSON`);
  return state;
}

function jsonOf(text: string): unknown {
  try {
    return readExactJson(text);
  } catch {
    return undefined;
  }
}
