import { AwsError } from '../kernel/aws-error.ts';
import type { Finding } from '../service-model/finding.ts';
import { isCommonHeader } from '../service-model/read-rest.ts';

/** S3 headers that some call here reads, obeys or refuses with an error of its own. */
const UNDERSTOOD =
  /^x-amz-(acl|bucket-object-lock-enabled|checksum-.+|copy-source|copy-source-(if-.+|range)|(source-)?expected-bucket-owner|grant-.+|if-match-.+|max-parts|part-number-marker|meta-.*|metadata-directive|mp-object-size|object-attributes|object-ownership|sdk-checksum-algorithm|server-side-encryption(-aws-kms-key-id)?|storage-class|tagging|tagging-directive)$/;

/**
 * Refuses by name the headers that would make something else of a call than what this S3 does: customer-provided keys, object lock,
 * redirects, requester pays, and all that AWS may add.
 *
 * @throws {AwsError} `NotImplemented`
 */
export function refuseUnemulatedHeaders(headers: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(headers)) {
    if (!name.startsWith('x-amz-') || UNDERSTOOD.test(name) || isCommonHeader(name)) continue;
    throw headerNotEmulated(name);
  }
}

/** The refusal of a header, with its value if only others are emulated. */
export function headerNotEmulated(name: string, value?: string): AwsError {
  return new AwsError(
    'NotImplemented',
    `The local S3 does not emulate the header ${name}${value === undefined ? '' : `: ${value}`}`,
    { statusCode: 501, details: { Header: name } },
  );
}

/** Members with S3 errors of their own for wrong values. */
const CODES: Readonly<Record<string, string>> = {
  StorageClass: 'InvalidStorageClass',
  ServerSideEncryption: 'InvalidEncryptionAlgorithmError',
};

/** S3's error for path, query and headers outside its model. */
export function toS3Refusal(findings: readonly Finding[]): AwsError | undefined {
  const [finding] = findings;
  if (!finding) return undefined;
  const name = String(finding.path[0]);
  if (finding.kind === 'unknown') {
    const message = `A header you provided implies functionality that is not implemented: ${name} is not of this call`;
    return new AwsError('NotImplemented', message, { statusCode: 501, details: { Header: name } });
  }
  return new AwsError(CODES[name] ?? 'InvalidArgument', `${name}: ${finding.text}`, {
    details: { ArgumentName: name, ArgumentValue: String(finding.value) },
  });
}
