import { type Case, openChecked } from './case.ts';

/**
 * Starts to open a case for reading. Resolves once the database works on the check of its catalogue, which takes most
 * of the time and nothing of this thread, or once it cannot be opened. `opened` rejects as `openCase` does.
 */
export async function startOpening(path: string): Promise<{ readonly opened: Promise<Case> }> {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const opened = openChecked(path, { access: 'read' }, begin);
  opened.catch(begin);
  await begun;
  return { opened };
}
