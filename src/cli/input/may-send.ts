import type { Terminal } from '../terminal/terminal.ts';

/** True if a request may be sent after its check. Warns if "--force" sends errors. */
export function maySend(
  findings: readonly { readonly severity: 'error' | 'warning' }[],
  { force, terminal }: { readonly force: boolean; readonly terminal: Terminal },
): boolean {
  if (findings.every(({ severity }) => severity !== 'error')) return true;
  if (force) {
    const { say, talk } = terminal;
    say(
      `${talk.style.red('WARNING')}: --force sends it despite these errors. The deployment may refuse it, or accept it and fail later.`,
    );
  }
  return force;
}
