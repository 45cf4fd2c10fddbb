import type { Terminal } from '../terminal/terminal.ts';

/** Whether something may be sent in spite of what a check found. That "--force" sends errors is said aloud. */
export function isSendable(
  findings: readonly { readonly severity: 'error' | 'warning' }[],
  { force, terminal }: { readonly force: boolean; readonly terminal: Terminal },
): boolean {
  if (findings.every(({ severity }) => severity !== 'error')) return true;
  if (force) {
    const { say, talk } = terminal;
    say(
      `${talk.style.red('WARNING')}: "--force" is given, so it is sent in spite of these errors. The deployment may refuse it, or take it and fail later.`,
    );
  }
  return force;
}
