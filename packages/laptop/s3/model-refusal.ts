import { AwsError } from '../kernel/aws-error.ts';
import type { Finding } from '../service-model/finding.ts';

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
