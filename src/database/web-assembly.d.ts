/** Declarations of WebAssembly, which the types of Node lack. */
declare namespace WebAssembly {
  class Module {
    constructor(program: Uint8Array);
  }

  /** Functions by module name and function name. */
  type Imports = Record<string, Record<string, (...values: number[]) => number>>;

  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: object;
  }

  class Memory {
    readonly buffer: ArrayBuffer;
  }
}
