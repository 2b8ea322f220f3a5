/** The part of WebAssembly that is used here: TypeScript only declares it for browsers. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports?: Readonly<Record<string, object>>);
    readonly exports: { readonly [name: string]: unknown };
  }
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
}
