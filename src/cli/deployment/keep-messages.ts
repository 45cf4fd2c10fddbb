import { addFile, openCase, StoreError } from '../../store/index.ts';
import { printable } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Keeps what a deployment says of an upgrade in a case. */
export interface MessageKeeper {
  /** Keeps a reply. Where another has the case open, it is kept with the next one. */
  readonly add: (received: unknown) => Promise<void>;
  /** Keeps what is left. Rejects with a `StoreError` where that cannot be. */
  readonly finish: () => Promise<void>;
}

/** So many seconds are waited at the end for a case that another has open. */
const attempts = 30;

/**
 * Opens the keeping of messages in a case, which is made where there is none.
 * Rejects with a `StoreError` when the file cannot be used, before anything
 * is watched. The case is open only for moments: an upgrade takes hours.
 */
export async function keepMessages(path: string, terminal: Pick<Terminal, 'say'>): Promise<MessageKeeper> {
  await load(path, undefined);
  let waiting: unknown;
  let isTold = false;

  return { add, finish };

  async function add(received: unknown): Promise<void> {
    // Each reply holds all messages so far, so that the latest is enough.
    waiting = received;
    if (await isKept()) return;
    if (!isTold)
      terminal.say(`"${printable(path)}" is open elsewhere; the messages are loaded when it is free.`);
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

/** Loads a reply as it came: it is its own evidence, and the case takes of it what it does not have yet. */
async function load(path: string, received: unknown): Promise<void> {
  await using into = await openCase(path, { access: 'write', create: 'if filled', memory: 'little' });
  if (received === undefined) return;
  const bytes = new TextEncoder().encode(JSON.stringify(received));
  await addFile(into, { name: 'upgrade-status.json', bytes });
}
