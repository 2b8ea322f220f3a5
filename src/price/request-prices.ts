/** US dollars of a read object: S3 reads and writes them for 0.0004 and 0.005 a thousand (aws.amazon.com/s3/pricing, us-east-1). */
export const USD_PER_READ = 0.0004 / 1_000;
/** US dollars of a written object. */
export const USD_PER_WRITE = 0.005 / 1_000;
