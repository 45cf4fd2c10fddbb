import { parse } from '../language/parse.ts';
import type { Filter } from '../meaning/filter.ts';
import { type ResolveOptions, resolve } from '../meaning/resolve.ts';
import { drawFindings } from './draw-findings.ts';
import type { Terminal } from './terminal.ts';

/** What a query asks for; of one that the engine refuses, what is wrong is said instead. */
export function soundFilter(text: string, options: ResolveOptions, terminal: Terminal): Filter | undefined {
  const { query, findings } = parse(text);
  if (findings.length === 0) return resolve(query, options);
  const { style, width = 100 } = terminal.talk;
  terminal.say(drawFindings(text, findings, { style, width }).join('\n'));
  return undefined;
}
