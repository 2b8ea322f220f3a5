import { AwsError } from '../kernel/aws-error.ts';
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
    throw new AwsError('NotImplemented', `The local S3 does not emulate the header ${name}`, {
      statusCode: 501,
      details: { Header: name },
    });
  }
}
