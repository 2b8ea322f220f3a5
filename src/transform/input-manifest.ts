/** The inputs of one job. */
export interface JobInputs {
  readonly bucket: string;
  /** Key prefix that the names of all inputs share; outputs are named by the rest of the name. */
  readonly prefix: string;
  /** Key prefix of inputs that have only the rest of their keys as names; null or absent if the names are whole keys. */
  readonly unpacked?: string | null;
}

/** `<bucket>/<key>` of the object that a job reads for an input, as its logs name it. */
export function sentObject(inputs: JobInputs, name: string): string {
  return `${inputs.bucket}/${sentKey(inputs, name)}`;
}

/** Key of the object that a job reads for an input. */
function sentKey({ prefix, unpacked = null }: Pick<JobInputs, 'prefix' | 'unpacked'>, name: string): string {
  return unpacked === null ? name : unpacked + name.slice(prefix.length);
}

/** Text of a manifest in SageMaker's format (`[{"prefix": "s3://…/"}, "key", …]`), streamed in larger pieces. */
export async function* toInputManifest(
  { bucket, prefix, unpacked }: JobInputs,
  names: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  let text = `[{"prefix":${JSON.stringify(`s3://${bucket}/${unpacked ?? prefix}`)}}`;
  for await (const name of names) {
    text += `,\n${JSON.stringify(name.slice(prefix.length))}`;
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  yield `${text}]\n`;
}
