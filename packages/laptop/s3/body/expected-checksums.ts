import { AwsError } from '../../kernel/aws-error.ts';
import { checksumHeader } from '../checksum/checksum-digest.ts';
import { CHECKSUM_ALGORITHMS, type ChecksumAlgorithm } from '../store/object-version.ts';

/** Checksums that a request states for its body. */
export interface ExpectedChecksums {
  readonly algorithm: ChecksumAlgorithm | undefined;
  /** Base64; undefined if it comes as a trailer, or if only the algorithm was named. */
  readonly value: string | undefined;
  readonly comesAsTrailer: boolean;
  /** Base64 of `Content-MD5`. */
  readonly md5: string | undefined;
}

/** @throws {AwsError} `InvalidRequest` for more than one checksum, `InvalidDigest` for a malformed Content-MD5 */
export function expectedChecksums(headers: Readonly<Record<string, string>>): ExpectedChecksums {
  const md5 = headers['content-md5'];
  if (md5 !== undefined && Buffer.from(md5, 'base64').length !== 16)
    throw new AwsError('InvalidDigest', `The Content-MD5 you specified is not valid: ${md5}`);
  const given = CHECKSUM_ALGORITHMS.filter((algorithm) => headers[checksumHeader(algorithm)] !== undefined);
  const trailerNames = (headers['x-amz-trailer'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const trailing = CHECKSUM_ALGORITHMS.filter((algorithm) =>
    trailerNames.includes(checksumHeader(algorithm)),
  );
  if (given.length + trailing.length > 1)
    throw new AwsError(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    );
  const algorithm = given[0] ?? trailing[0] ?? namedAlgorithm(headers);
  return {
    algorithm,
    value: given[0] && headers[checksumHeader(given[0])],
    comesAsTrailer: trailing.length > 0,
    md5,
  };
}

/** @throws {AwsError} `BadDigest` */
export function verifyChecksums(received: {
  readonly expected: ExpectedChecksums;
  readonly trailers: ReadonlyMap<string, string>;
  readonly md5: string;
  readonly value: string;
}): void {
  const { expected, trailers, md5, value } = received;
  if (expected.md5 !== undefined && expected.md5 !== md5)
    throw new AwsError(
      'BadDigest',
      `The Content-MD5 you specified did not match what we received: ${expected.md5}, not ${md5}`,
    );
  if (expected.algorithm === undefined) return;
  const trailer = trailers.get(checksumHeader(expected.algorithm));
  if (expected.comesAsTrailer && trailer === undefined)
    throw new AwsError(
      'MalformedTrailerError',
      `The trailer ${checksumHeader(expected.algorithm)} was announced and did not come`,
    );
  const claimed = expected.comesAsTrailer ? trailer : expected.value;
  if (claimed !== undefined && claimed !== value)
    throw new AwsError(
      'BadDigest',
      `The ${expected.algorithm} you specified did not match the calculated checksum: ${claimed}, not ${value}`,
    );
}

function namedAlgorithm(headers: Readonly<Record<string, string>>): ChecksumAlgorithm | undefined {
  const named = (
    headers['x-amz-sdk-checksum-algorithm'] ?? headers['x-amz-checksum-algorithm']
  )?.toUpperCase();
  if (named === undefined) return undefined;
  const algorithm = CHECKSUM_ALGORITHMS.find((candidate) => candidate === named);
  if (algorithm) return algorithm;
  throw new AwsError(
    'InvalidRequest',
    `Checksum algorithm must be one of ${CHECKSUM_ALGORITHMS.join(', ')}, is ${named}`,
  );
}
