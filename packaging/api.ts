import ts from 'typescript';
import { type EntryPoint, readEntryPoints } from './entry-points.ts';
import { publicSymbols, readDeclarations } from './public-names.ts';

/** One name that a program can import. */
interface PublicName {
  readonly name: string;
  /** The declaration without comments and without the bodies of functions. */
  readonly declaration: string;
  /** The first sentence of the doc comment; empty where there is none. */
  readonly sentence: string;
  /** True for a function whose comment has no example. */
  readonly lacksExample: boolean;
}

/**
 * Returns the API reports of all entry points by file name. A report lists every public name in the order of the
 * alphabet, with its declaration and the first sentence of its comment. Read from the declarations in `dist`.
 */
export function apiReports(): ReadonlyMap<string, string> {
  const program = readDeclarations();
  return new Map(readEntryPoints().map((entry) => [fileOf(entry), reportOf(program, entry)]));
}

/** The file of a report within `api/`. */
function fileOf({ module }: EntryPoint): string {
  return `${module.split('/')[1] ?? 'root'}.md`;
}

function reportOf(program: ts.Program, { module, types }: EntryPoint): string {
  const names = publicNames(program, types);
  const lacking = names.filter(({ lacksExample }) => lacksExample).map(({ name }) => `\`${name}\``);
  const sections = names.map(
    ({ name, declaration, sentence }) =>
      `\n## ${name}\n${sentence && `\n${sentence}\n`}\n\`\`\`ts\n${declaration}\n\`\`\`\n`,
  );
  return `# Public names of \`${module}\`

This is a reference, written by \`npm run api\`. A change of it is a change for programs: it belongs in the changelog.
It has ${names.length} names.${lacking.length === 0 ? '' : ` Functions without an example: ${lacking.join(', ')}.`}
${sections.join('')}`;
}

function publicNames(program: ts.Program, path: string): readonly PublicName[] {
  const checker = program.getTypeChecker();
  return publicSymbols(program, path).map(({ name, target }) => {
    const comment = ts.displayPartsToString(target.getDocumentationComment(checker));
    const declarations = target.declarations ?? [];
    return {
      name,
      declaration: declarations.map(printed).join('\n'),
      sentence: firstSentence(comment),
      lacksExample: declarations.some(ts.isFunctionDeclaration) && !comment.includes('```ts'),
    };
  });
}

const printer = ts.createPrinter({ removeComments: true });

function printed(declaration: ts.Declaration): string {
  // A constant is declared within a list of constants.
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const text = printer.printNode(ts.EmitHint.Unspecified, statement, declaration.getSourceFile());
  return text.replace(/^export (?:declare )?/, '');
}

/** The first sentence of a comment, on one line. A full stop within a name or an abbreviation ends none. */
function firstSentence(comment: string): string {
  const [paragraph = ''] = comment.split(/\n\s*\n/);
  return /^.*?(?:[.:](?=\s)(?!\s[a-z])|$)/.exec(paragraph.replace(/\s+/g, ' ').trim())?.[0] ?? '';
}
