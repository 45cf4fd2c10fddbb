import ts from 'typescript';
import { expect, test } from 'vitest';
import { readEntryPoints } from '../../packaging/entry-points.ts';

test('the declarations need no types of packages that their users lack', () => {
  const options: ts.CompilerOptions = {
    strict: true,
    skipLibCheck: false,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: [],
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  // Nobody else has the packages of types that this project is developed with.
  const isHidden = (path: string) => path.includes('/@types/') || path.endsWith('/@types');
  const { fileExists, readFile, directoryExists } = host;
  host.fileExists = (path) => !isHidden(path) && fileExists.call(host, path);
  host.readFile = (path) => (isHidden(path) ? undefined : readFile.call(host, path));
  host.directoryExists = (path) => !isHidden(path) && (directoryExists?.call(host, path) ?? true);
  const files = readEntryPoints().map(({ types }) => types);
  const program = ts.createProgram(files, options, host);
  const problems = ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  expect(problems).toEqual([]);
});
