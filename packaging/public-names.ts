import ts from 'typescript';
import { readEntryPoints } from './entry-points.ts';

/** The declarations in `dist` of all entry points, without the standard library. */
export function readDeclarations(): ts.Program {
  return ts.createProgram(
    readEntryPoints().map(({ types }) => types),
    { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.Node20, types: [], noLib: true },
  );
}

/** A name that a program can import, and the symbol that it stands for through all exports and imports. */
export interface PublicSymbol {
  readonly name: string;
  readonly target: ts.Symbol;
}

/** The public names of an entry point, given as the path of its declarations, in the order of the alphabet. Throws if the file is missing. */
export function publicSymbols(program: ts.Program, types: string): readonly PublicSymbol[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(types);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`"${types}" is missing: "npm run build" writes it`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => ({ name: symbol.name, target: targetOf(checker, symbol) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function targetOf(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
