import type { ObjectAccess, StoredObject } from '../../kernel/ports.ts';
import { relativeTo } from '../jobs/input-objects.ts';
import { JobFailure } from '../jobs/job-failure.ts';
import { requireS3Uri } from '../jobs/s3-uri.ts';
import type { CreateTransformJobInput } from '../transform-job-record.ts';

/** Where a job's outputs go, and which it has stored so far. */
export interface JobOutputs {
  /** Stores an output; one that breaks off leaves none. @throws {JobFailure} if the bucket of S3OutputPath is not there */
  store(key: string, output: AsyncIterable<Buffer>): Promise<void>;
  /** Takes back everything that was stored: a stopped job leaves no output. */
  discard(): Promise<void>;
}

/** Each output is visible as soon as its object is done, as on the real service. */
export function createJobOutputs(
  objects: ObjectAccess,
  { TransformOutput }: Pick<CreateTransformJobInput, 'TransformOutput'>,
  inputPrefix: string,
): JobOutputs {
  const { bucket, key: prefix } = requireS3Uri(TransformOutput.S3OutputPath);
  const contentType = TransformOutput.Accept;
  const written: StoredObject[] = [];
  return {
    async store(key, output) {
      if (!objects.hasBucket(bucket))
        throw new JobFailure(`ClientError: cannot write to S3OutputPath: bucket ${bucket} does not exist`);
      const stored = await objects.write(bucket, toOutputKey(prefix, inputPrefix, key), output, {
        reason: 'CompleteMultipartUpload',
        ...(contentType === undefined ? {} : { contentType }),
      });
      written.push(stored);
    },
    async discard() {
      for (const stored of written.splice(0)) await objects.remove(bucket, stored);
    },
  };
}

/** Key of an input's output: `S3OutputPath`, the path of the object relative to the input's URI, and `.out`. */
function toOutputKey(outputPrefix: string, inputPrefix: string, key: string): string {
  const folder = outputPrefix === '' || outputPrefix.endsWith('/') ? outputPrefix : `${outputPrefix}/`;
  return `${folder}${relativeTo(inputPrefix, key)}.out`;
}
