import { readFile, writeFile } from 'node:fs/promises';
import { beginAtomicFile } from '../../database/index.ts';
import { readExactJson, writeExactJson } from '../../records/index.ts';
import { parseState, type State } from './state.ts';

/** The stored state of a deployment, and its changes. */
export interface StateStore {
  readonly read: () => State;
  /** Changes the state, and resolves after it is stored. Changes are stored in their order. */
  readonly change: (next: (state: State) => State) => Promise<void>;
}

/** The state file of a deployment has other content. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly code = 'NO_STATE';
}

/**
 * Opens the state in a file, which is created if missing, or a state in memory. Only the owner can read the
 * file, because it holds uploads.
 */
export async function openState(path: string | undefined, initial: State): Promise<StateStore> {
  let state = path === undefined ? initial : ((await readState(path)) ?? initial);
  let last: Promise<void> = Promise.resolve();
  const keep = async () => {
    if (path === undefined) return;
    // The old file stays complete until the new one is.
    await using file = await beginAtomicFile(path);
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
  const state = parseState(jsonOf(text));
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
