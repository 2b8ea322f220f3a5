/** The inputs of one job. */
export interface JobInputs {
  readonly bucket: string;
  /** Key prefix that all inputs share; outputs are named by the rest of the key. */
  readonly prefix: string;
}

/** Text of a manifest in SageMaker's format (`[{"prefix": "s3://…/"}, "key", …]`), streamed in larger pieces. */
export async function* toInputManifest(
  { bucket, prefix }: JobInputs,
  keys: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  let text = `[{"prefix":${JSON.stringify(`s3://${bucket}/${prefix}`)}}`;
  for await (const key of keys) {
    text += `,\n${JSON.stringify(key.slice(prefix.length))}`;
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  yield `${text}]\n`;
}
