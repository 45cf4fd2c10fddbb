import type { Case } from '../../case/index.ts';
import { isDatabase } from '../command-line/files.ts';

/** A case that is being opened for reading while the rest of a command is loaded. Disposal closes it unless taken. */
export interface OpeningCase extends AsyncDisposable {
  /** Returns the case if it has this path, which the caller must close then. Rejects as `openCase` does. */
  readonly take: (path: string) => Promise<Case> | undefined;
}

/**
 * Starts to open the only source of a command if it is a case, and resolves while the database checks it. A failure
 * is for whoever takes the case: a mistake in the query is reported before it.
 */
async function openAhead(sources: readonly string[]): Promise<OpeningCase> {
  const [path] = sources;
  if (path === undefined || 1 < sources.length || !(await isDatabase(path))) return noCase;
  const { startOpening } = await import('../../case/file/case.ts');
  const { opened } = await startOpening(path);
  let isTaken = false;
  return {
    take(requestedPath) {
      if (requestedPath !== path || isTaken) return undefined;
      isTaken = true;
      return opened;
    },
    async [Symbol.asyncDispose]() {
      if (isTaken) return;
      await opened.then(
        (openedCase) => openedCase[Symbol.asyncDispose](),
        () => undefined,
      );
    },
  };
}

const noCase: OpeningCase = { take: () => undefined, [Symbol.asyncDispose]: async () => {} };

/** The part of a call that names the sources. */
interface SourceCall {
  readonly arguments: { readonly source: readonly string[] };
}

/** Returns a command that is loaded while the case that its call names is being opened. */
export function whileOpening<C extends SourceCall, T>(
  load: () => Promise<(call: C, opening: OpeningCase) => Promise<T>>,
): (call: C) => Promise<T> {
  return async (call) => {
    await using opening = await openAhead(call.arguments.source);
    const run = await load();
    return await run(call, opening);
  };
}
