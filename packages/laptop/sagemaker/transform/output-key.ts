import { relativeTo } from '../jobs/relative-key.ts';

/** Key of an input's output: `S3OutputPath`, the path of the object relative to the input's URI, and `.out`. */
export function toOutputKey(outputPrefix: string, inputPrefix: string, key: string): string {
  const folder = outputPrefix === '' || outputPrefix.endsWith('/') ? outputPrefix : `${outputPrefix}/`;
  return `${folder}${relativeTo(inputPrefix, key)}.out`;
}
