interface NodeBinary {
  /** The package's name. */
  readonly name: string;
  /** Digest of the binary, in hexadecimal. */
  readonly sha256: string;
}

export const NODE_BINARIES: Readonly<Record<string, NodeBinary>>;
export function binaryOf(modules: string, binary: Pick<NodeBinary, 'name'>): string;
