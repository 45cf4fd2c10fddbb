import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import * as v from 'valibot';
import type { Expression, Production } from './productions.ts';
import { type Form, isTyped, readForm } from './read-form.ts';
import { style } from './style.ts';
import { pieces, terminals } from './terminals.ts';

const element = v.custom<(...parts: unknown[]) => unknown>((value) => typeof value === 'function');
const drawing = v.object({
  Diagram: element,
  Sequence: element,
  Choice: element,
  Optional: element,
  ZeroOrMore: element,
  Terminal: element,
  NonTerminal: element,
  Comment: element,
});

/** Loads the drawing functions of the parser library, which are a script for a page, not a module. */
function loadDrawing(): v.InferOutput<typeof drawing> {
  const library = createRequire(import.meta.url).resolve('chevrotain');
  const script = join(library, '../../../diagrams/vendor/railroad-diagrams.js');
  const exports = {};
  runInNewContext(readFileSync(script, 'utf8'), { exports });
  return v.parse(drawing, exports);
}

/** The forms of the tokens by their names. */
const tokens = new Map(Object.entries(terminals).map(([name, text]) => [name, readForm(text ?? '')]));

/** Tokens that begin with another form have diagrams of their own; the others are drawn where they stand. */
const separate = new Map([...tokens].filter(([, form]) => !isTyped(form)));
const parts = new Map(Object.entries(pieces).map(([name, text]) => [name, readForm(text)]));

/**
 * A page with a railroad diagram for each rule, in their order, and for each token that is no fixed text. It
 * needs no script and no network.
 */
export function page(rules: readonly Production[]): string {
  const grammar = new Map(rules.map(({ name, expression }) => [name, toForm(expression)]));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The grammar of searchQuery</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>The grammar of searchQuery</h1>
<p>Written from the parser. Round boxes show what is typed, square ones lead to another diagram. The longest match wins, and
blanks may stand between any two tokens. <a href="searchquery.ebnf">searchquery.ebnf</a> is the same as text,
<a href="language.md">language.md</a> has examples.</p>
</header>
<nav aria-label="Diagrams">
${index('Rules', grammar)}
${index('Tokens', separate)}
${index('Parts of tokens', parts)}
</nav>
<main>
${section('Rules', grammar)}
${section('Tokens', separate)}
${section('Parts of tokens', parts)}
</main>
</body>
</html>
`;
}

/** The form of a rule, which names tokens like rules. */
function toForm(expression: Expression): Form {
  switch (expression.kind) {
    case 'terminal':
    case 'rule':
      return { kind: 'rule', name: expression.name };
    case 'sequence':
    case 'choice':
      return { kind: expression.kind, of: expression.of.map(toForm) };
    default:
      return { kind: expression.kind, of: toForm(expression.of) };
  }
}

type Forms = ReadonlyMap<string, Form>;

function index(title: string, forms: Forms): string {
  const links = [...forms.keys()].map((name) => `<li><a href="#${idOf(name)}">${name}</a></li>`);
  return `<h2>${title}</h2>\n<ul>\n${links.join('\n')}\n</ul>`;
}

function section(title: string, forms: Forms): string {
  const figures = [...forms].map(
    ([name, form]) =>
      `<h3 id="${idOf(name)}"><a href="#${idOf(name)}">${name}</a></h3>\n<div class="diagram" role="group" aria-label="Diagram of ${name}" tabindex="0">\n${svg(form)}</div>`,
  );
  return `<h2>${title}</h2>\n${figures.join('\n')}`;
}

/** A rule and a token can differ in the case of a letter only, and some tools ignore it in links. */
function idOf(name: string): string {
  return separate.has(name) ? `token-${name}` : name;
}

const { Diagram, Sequence, Choice, Optional, ZeroOrMore, Terminal, NonTerminal, Comment } = loadDrawing();

function svg(form: Form): string {
  // The drawing functions write attributes of the parser library, which mean nothing here.
  return String(Diagram(draw(form)))
    .replace(/ (?:occurrenceIdx|topRuleName|dslRuleName|tokenName|ruleName|label)="[^"]*"/g, '')
    .replaceAll('xlink:href', 'href');
}

function draw(form: Form): unknown {
  switch (form.kind) {
    case 'terminal':
      return Terminal(form.name);
    case 'rule':
      return link(form.name);
    case 'remark':
      return Comment(form.text);
    case 'sequence':
      return Sequence(...form.of.map(draw));
    case 'choice':
      return Choice(0, ...form.of.map(draw));
    case 'optional':
      return Optional(draw(form.of));
    case 'repeated':
      return ZeroOrMore(draw(form.of));
  }
}

/** A box that leads to another diagram; a token that is drawn where it stands has none. */
function link(name: string): unknown {
  const token = tokens.get(name);
  return token && isTyped(token) ? draw(token) : NonTerminal(name, `#${idOf(name)}`);
}
