import { readFileSync } from 'node:fs';
import { builtFile } from './package.ts';

/** Common export of all programs of `assembly/`. */
interface MemoryExport {
  readonly memory: WebAssembly.Memory;
}

/** Names of the functions that a program exports. */
type Functions<Program> = readonly Exclude<keyof Program & string, 'memory'>[];

const compiled = new Map<string, WebAssembly.Module>();

/** Starts a program of `assembly/` with its own memory. Throws unless it exports the given functions. */
export function startProgram<Program extends MemoryExport>(
  name: string,
  functions: Functions<Program>,
  imports: WebAssembly.Imports = {},
): Program {
  const module =
    compiled.get(name) ?? new WebAssembly.Module(readFileSync(builtFile(`${name}.wasm`, import.meta.url)));
  compiled.set(name, module);
  const { exports } = new WebAssembly.Instance(module, imports);
  if (!hasExports(exports, functions)) throw new Error(`${name}.wasm is of another version: run the build`);
  return exports;
}

function hasExports<Program extends MemoryExport>(
  exports: object,
  functions: Functions<Program>,
): exports is Program {
  const isMissing = functions.some((name) => typeof Reflect.get(exports, name) !== 'function');
  return !isMissing && Reflect.get(exports, 'memory') instanceof WebAssembly.Memory;
}
