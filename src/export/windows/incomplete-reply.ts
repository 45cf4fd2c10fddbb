import { ExportError } from '../export-error.ts';
import type { Settlement } from './settle.ts';

/** The reason of a window whose zips hold no entry at all. */
export const bareZip = 'The zip holds no entry at all, which shows no logs and no absence of any';

/** The failure of a reply that lacks logs which are known; undefined where there is none, or the window is asked for in another way. */
export function incompleteReply({ verdict, changes }: Settlement): ExportError | undefined {
  if (verdict.kind === 'lossy') {
    const lost = verdict.missing === 1 ? '1 log' : `${verdict.missing} logs`;
    return new ExportError('INCOMPLETE_REPLY', `The reply lacks ${lost} that came before`);
  }
  const isAskedAgain = (changes.windows ?? []).length > 0;
  if (verdict.kind !== 'bare' || isAskedAgain) return undefined;
  return new ExportError('INCOMPLETE_REPLY', bareZip);
}
