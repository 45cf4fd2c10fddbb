import { addFile, openCase } from '../../case/index.ts';
import { StoreError } from '../../database/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe } from '../terminal/text.ts';

/** Stores the upgrade messages of a deployment in a case. */
export interface MessageKeeper {
  /** Stores a reply. If the case is locked, it is stored with the next one. */
  readonly add: (received: unknown) => Promise<void>;
  /** Stores what is left. Rejects with a `StoreError` on failure. */
  readonly finish: () => Promise<void>;
}

/** Number of seconds to wait at the end for a locked case. */
const attempts = 30;

/**
 * Prepares storing messages in a case, which is created if missing. Rejects with a `StoreError` before
 * the watch starts if the file is not usable. The case is open only for moments: an upgrade takes
 * hours.
 */
export async function keepMessages(
  path: string,
  terminal: Pick<Terminal, 'message'>,
): Promise<MessageKeeper> {
  await load(path, undefined);
  let waiting: unknown;
  let isTold = false;

  return { add, finish };

  async function add(received: unknown): Promise<void> {
    // Each reply holds all messages so far, so the latest one is sufficient.
    waiting = received;
    if (await isKept()) return;
    if (!isTold)
      terminal.message(
        `"${escapeUnsafe(path)}" is open in another process; the messages are loaded when it is free.`,
      );
    isTold = true;
  }

  async function isKept(): Promise<boolean> {
    try {
      await load(path, waiting);
      waiting = undefined;
      return true;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'CASE_LOCKED') return false;
      throw error;
    }
  }

  async function finish(): Promise<void> {
    for (let attempt = 1; attempt < attempts && waiting !== undefined; attempt += 1) {
      if (await isKept()) return;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    if (waiting !== undefined) await load(path, waiting);
  }
}

/** Loads a reply unchanged, as its own evidence; the case skips messages that it has. */
async function load(path: string, received: unknown): Promise<void> {
  await using into = await openCase(path, { access: 'write', create: 'if filled', memory: 'little' });
  if (received === undefined) return;
  const bytes = new TextEncoder().encode(JSON.stringify(received));
  await addFile(into, { name: 'upgrade-status.json', bytes });
}
