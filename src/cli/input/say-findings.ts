import type { Finding } from '../../language/finding.ts';
import { drawFindings } from '../output/draw-findings.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { GivenQuery } from './read-queries.ts';

/** Draws what there is to say about a query on the standard error. */
export function sayFindings(
  { text, source }: GivenQuery,
  findings: readonly Finding[],
  terminal: Terminal,
): void {
  if (findings.length === 0) return;
  const { style, width = 100 } = terminal.talk;
  terminal.say(drawFindings(text, findings, { style, width, source }).join('\n'));
}
