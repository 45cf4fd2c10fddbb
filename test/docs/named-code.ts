import ts from 'typescript';

/** Code that a page names: a file, and perhaps a declaration within it. */
export interface NamedCode {
  readonly path: string;
  readonly name: string | undefined;
}

/** The code that a page names as `path/of/file.ts` or `path/of/file.ts` → `name`, and folders as `path/of`. */
export function namedCode(page: string): readonly NamedCode[] {
  const found = page.matchAll(/`((?:[\w.-]+\/)+[\w.-]*|[\w.-]+\.(?:ts|mjs|json|md))`(?:\s→\s`(\w+)`)?/g);
  return [...found].map(([, path = '', name]) => ({ path, name }));
}

/** The names that the text of a file declares at its top. */
export function declaredNames(text: string): readonly string[] {
  const { statements } = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) =>
        ts.isIdentifier(name) ? name.text : '',
      );
    const named = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
    const typed = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
    return (named || typed) && statement.name ? [statement.name.text] : [];
  });
}
