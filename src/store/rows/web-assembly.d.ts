/** What is used here of WebAssembly, which the types of Node do not know. */
declare namespace WebAssembly {
  class Module {
    constructor(program: Uint8Array);
  }

  /** Functions by the names of their module and their own. */
  type Imports = Record<string, Record<string, (...values: number[]) => number>>;

  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: object;
  }

  class Memory {
    readonly buffer: ArrayBuffer;
  }
}
