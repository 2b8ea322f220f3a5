/** The part of a user's options for mpirun that means something here. */
export interface MpiOptions {
  /** `-x NAME=VALUE`, and `--NCCL_DEBUG=VALUE`, which AWS's container takes out. */
  readonly variables: Readonly<Record<string, string>>;
  /** The rest, as it was written. */
  readonly others: readonly string[];
}

/** Reads `sagemaker_mpi_custom_mpi_options`. */
export function parseMpiOptions(text: string): MpiOptions {
  const variables: Record<string, string> = {};
  const others: string[] = [];
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const debug = /^--NCCL_DEBUG=(.*)$/.exec(word)?.[1];
    if (debug !== undefined) variables['NCCL_DEBUG'] = debug;
    else if (word === '-x') {
      const [name = '', ...value] = (words[++at] ?? '').split('=');
      // `-x NAME` hands on a variable that is there already: here every rank has all of them.
      if (value.length > 0) variables[name] = value.join('=');
    } else others.push(word);
  }
  return { variables, others };
}
