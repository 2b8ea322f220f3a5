/** Builds a value at its first use and keeps it for the life of the execution environment. */
export function once<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => (built ??= { value: build() }).value;
}
