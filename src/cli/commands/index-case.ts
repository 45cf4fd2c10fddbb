import { type IndexState, indexState, openCase, removeIndex } from '../../case/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import type { indexSpec } from '../specs/analysis.ts';
import { toJson } from '../terminal/printable.ts';
import { formatNumber } from '../terminal/progress.ts';
import { buildIndexOf } from './build-index.ts';

/** Builds or removes the word index of a case. */
export const indexCommand: RunCommand<typeof indexSpec> = async ({ arguments: given, options, terminal }) => {
  const { rebuild, remove, json } = options;
  await using into = await openCase(given.case, { access: 'write' });
  if (rebuild || remove) await removeIndex(into);
  const state = remove ? await indexState(into) : await buildIndexOf(into, terminal);
  await terminal.print(json ? `${toJson(state, 2)}\n` : `${report(state)}\n`);
  return exitCodes.done;
};

function report({ logs, indexed, tokens, segments }: IndexState): string {
  if (segments === 0) return `None of ${formatNumber(logs)} logs is indexed.`;
  return `${formatNumber(indexed)} of ${formatNumber(logs)} logs are indexed, with ${formatNumber(tokens)} words.`;
}
