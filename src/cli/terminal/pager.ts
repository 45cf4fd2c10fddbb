import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { ClosedPipe } from './endings.ts';

/** A running pager. */
export interface Pager {
  /** Resolves when the pager accepts more; rejects with `ClosedPipe` once it has ended. */
  readonly write: (text: string) => Promise<void>;
  /** Resolves when its reader has left it. */
  readonly end: () => Promise<void>;
}

type Environment = { readonly [name: string]: string | undefined };

/** The command of the pager; undefined if none is wanted. */
export function pagerCommand({ LOGQUARRY_PAGER, PAGER }: Environment): string | undefined {
  const command = (LOGQUARRY_PAGER ?? PAGER ?? 'less').trim();
  return command === '' || command === 'cat' ? undefined : command;
}

/** Defaults of pagers: colours as they are, no cut lines, no pager for one screen. */
const pagerDefaults = { LESS: 'FRX', LV: '-c' } as const;

/** Starts a pager on the terminal of this process; undefined if it is not installed. */
export function startPager(command: string, environment: Environment): Pager | undefined {
  if (!isInstalled(command)) return undefined;
  const child = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...pagerDefaults, ...environment },
  });
  let isOpen = true;
  const ended = new Promise<void>((resolve) => {
    const close = () => {
      isOpen = false;
      resolve();
    };
    child.on('close', close).on('error', close);
  });
  // A reader who leaves early is no failure.
  child.stdin.on('error', () => {});
  return {
    async write(text) {
      if (!isOpen || child.stdin.destroyed) throw new ClosedPipe('');
      if (child.stdin.write(text)) return;
      const drained = once(child.stdin, 'drain').catch(() => {});
      await Promise.race([drained, ended]);
    },
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}

/** True unless the shell does not know the program; commands of other forms are left to the shell. */
function isInstalled(command: string): boolean {
  const [, program] = /^([\w./-]+)(?:\s|$)/.exec(command) ?? [];
  if (program === undefined) return true;
  const search = process.platform === 'win32' ? `where ${program}` : `command -v ${program}`;
  return spawnSync(search, { shell: true, stdio: 'ignore' }).status === 0;
}
