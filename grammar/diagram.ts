import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import * as v from 'valibot';
import type { Expression, Production } from './productions.ts';

const element = v.custom<(...parts: unknown[]) => unknown>((value) => typeof value === 'function');
const drawing = v.object({
  Diagram: element,
  Sequence: element,
  Choice: element,
  Optional: element,
  ZeroOrMore: element,
  Terminal: element,
  NonTerminal: element,
});

/** Loads the drawing functions of the parser library, which are a script for a page, not a module. */
function loadDrawing(): v.InferOutput<typeof drawing> {
  const library = createRequire(import.meta.url).resolve('chevrotain');
  const script = join(library, '../../../diagrams/vendor/railroad-diagrams.js');
  const exports = {};
  runInNewContext(readFileSync(script, 'utf8'), { exports });
  return v.parse(drawing, exports);
}

/** A page with a railroad diagram for each rule, in their order. It needs no script and no network. */
export function page(rules: readonly Production[]): string {
  const figures = rules.map(({ name, expression }) => `<h2 id="${name}">${name}</h2>\n${svg(expression)}`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The grammar of searchQuery</title>
<style>${style}</style>
<h1>The grammar of searchQuery</h1>
<p>Written from the parser. Round boxes are tokens, square ones rules; what a token looks like is at the end of searchquery.ebnf.</p>
${figures.join('\n')}
</html>
`;
}

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; color: #1c2733; }
h2 { font-size: 1.1rem; margin: 2rem 0 0; }
svg { max-width: 100%; height: auto; }
path { fill: none; stroke: #1c2733; stroke-width: 2; }
text { font: 14px ui-monospace, monospace; text-anchor: middle; fill: #1c2733; }
rect { fill: #fff; stroke: #1c2733; stroke-width: 2; }
.terminal rect { fill: #dff0e4; }
.non-terminal rect { fill: #e4ecf7; }
`;

function svg(expression: Expression): string {
  const { Diagram, Sequence, Choice, Optional, ZeroOrMore, Terminal, NonTerminal } = loadDrawing();
  return String(Diagram(draw(expression)));

  function draw(part: Expression): unknown {
    switch (part.kind) {
      case 'terminal':
        return Terminal(part.name);
      case 'rule':
        return NonTerminal(part.name, `#${part.name}`);
      case 'sequence':
        return Sequence(...part.of.map(draw));
      case 'choice':
        return Choice(0, ...part.of.map(draw));
      case 'optional':
        return Optional(draw(part.of));
      case 'repeated':
        return ZeroOrMore(draw(part.of));
    }
  }
}
