/**
 * Variables of this process without which Node does not start: on Windows, and where its libraries lie in a folder of their
 * own, as in AWS Lambda.
 */
const NODE_NEEDS = ['SYSTEMROOT', 'LD_LIBRARY_PATH'];

/** How Node is started for code or a model of others. */
export interface RestrictedNode {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Node that may read below `readable` and nothing else: no other file, no writing, no child process, no worker, addon, WASI module or
 * inspector, no code from text, and none of this process's variables.
 *
 * @throws {Error} for a path that Node's permission flags cannot express
 */
export function restrictedNode(readable: readonly string[]): RestrictedNode {
  for (const one of readable) {
    if (one.includes('*'))
      throw new Error(`${one}: no model runs in a folder with an asterisk in its path: move it`);
  }
  return {
    args: [
      '--permission',
      ...readable.map((one) => `--allow-fs-read=${one}`),
      '--disallow-code-generation-from-strings',
      '--disable-proto=delete',
      '--disable-sigusr1',
      '--disable-warning=ExperimentalWarning',
    ],
    env: Object.fromEntries(
      NODE_NEEDS.flatMap((name) => {
        const value = process.env[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}
