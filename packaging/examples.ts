import ts from 'typescript';
import { readEntryPoints } from './entry-points.ts';
import { publicSymbols, readDeclarations } from './public-names.ts';

/** An example in the comment of a public name. */
export interface Example {
  readonly name: string;
  readonly code: string;
}

/** Values that examples use without making them, with their types. */
const context = {
  incident: 'Case',
  client: 'Client',
  fc: "typeof import('fast-check').default",
  filter: 'Filter',
  filterOf: '(query: string) => Filter',
  log: 'Log',
  none: 'Filter',
  template: 'PropertyTemplate',
} as const;

/** The examples in the comments of all public names, which are read from the declarations in `dist`. */
export function readExamples(): readonly Example[] {
  const program = readDeclarations();
  const checker = program.getTypeChecker();
  const symbols = readEntryPoints().flatMap(({ types }) => publicSymbols(program, types));
  const targets = new Map(symbols.map(({ name, target }) => [target, name]));
  return [...targets].flatMap(([target, name]) => {
    const comment = ts.displayPartsToString(target.getDocumentationComment(checker));
    return [...comment.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => ({ name, code }));
  });
}

/**
 * Compiles examples as a strict program with the standard library alone. Returns one sentence for each error.
 * An example may use every public name, and the values of {@link context}.
 */
export function exampleProblems(examples: readonly Example[]): readonly string[] {
  const path = `${process.cwd()}/dist/examples.ts`;
  // A block of its own may name its constants as the values.
  const bodies = examples.map(
    ({ code }, index) => `async function example${index}(${parametersOf(code)}) {{\n${code}}}`,
  );
  const text = [...importsOf(bodies.join('\n')), ...bodies].join('\n');
  const program = ts.createProgram([path], options, hostWith(path, text));
  const source = program.getSourceFile(path);
  const diagnostics = source
    ? [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    : [];
  return diagnostics.map(({ start = 0, messageText }) => {
    const number = text.slice(0, start).match(/async function example\d+/g)?.length ?? 0;
    const line = text.slice(0, start).split('\n').length - 1;
    const message = ts.flattenDiagnosticMessageText(messageText, ' ');
    return `${examples[number - 1]?.name ?? 'imports'}: ${message}: ${text.split('\n')[line]?.trim()}`;
  });
}

/** The values of an example; one that draws at random has the filters and the logs to draw instead. */
function parametersOf(code: string): string {
  const drawn = code.includes('fc.') ? ['filter', 'log'] : [];
  return Object.entries(context)
    .filter(([name]) => !drawn.includes(name))
    .map(([name, type]) => `${name}: ${type}`)
    .join(', ');
}

const options: ts.CompilerOptions = {
  ...{ strict: true, noEmit: true, types: [], skipLibCheck: true },
  ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext },
};

/** Import statements for all public names that a text mentions. */
function importsOf(text: string): readonly string[] {
  const words = new Set(text.match(/\b[A-Za-z]\w*\b/g));
  const program = readDeclarations();
  const imported = new Set<string>();
  return readEntryPoints().map(({ types }) => {
    const names = publicSymbols(program, types)
      .map(({ name }) => name)
      .filter((name) => words.has(name) && !imported.has(name));
    for (const name of names) imported.add(name);
    return `import { ${names.join(', ')} } from './${types.replace('dist/', '').replace('.d.ts', '.js')}';`;
  });
}

/** The files of this machine, and one that exists in memory alone. */
function hostWith(path: string, text: string): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    fileExists: (name) => name === path || host.fileExists(name),
    readFile: (name) => (name === path ? text : host.readFile(name)),
    getSourceFile: (name, language) =>
      name === path ? ts.createSourceFile(name, text, language) : host.getSourceFile(name, language),
  };
}
