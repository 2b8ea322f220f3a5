import { AwsError } from '../kernel/aws-error.ts';
import type { Protocol } from '../kernel/protocol.ts';

/** `mismatch` is a signature that differs from the computed one, `body-changed` a body that differs from its signed hash. */
type RefusalReason =
  | 'malformed'
  | 'unknown-key'
  | 'mismatch'
  | 'wrong-region'
  | 'skewed'
  | 'expired'
  | 'body-changed'
  | 'unsigned-headers';

/** Why a signature is refused. Each protocol has its own error code for it. */
export class SignatureRefusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.name = 'SignatureRefusal';
    this.reason = reason;
  }

  /** The error as clients of that protocol know it. */
  toAwsError(protocol: Protocol): AwsError {
    const [code, statusCode] = CODES[protocol][this.reason];
    return new AwsError(code, this.message, { statusCode });
  }
}

const JSON_CODES: Readonly<Record<RefusalReason, readonly [string, number]>> = {
  malformed: ['IncompleteSignatureException', 400],
  'unknown-key': ['UnrecognizedClientException', 400],
  mismatch: ['InvalidSignatureException', 400],
  'wrong-region': ['InvalidSignatureException', 400],
  skewed: ['InvalidSignatureException', 400],
  expired: ['InvalidSignatureException', 400],
  'body-changed': ['InvalidSignatureException', 400],
  'unsigned-headers': ['InvalidSignatureException', 400],
};

const CODES: Readonly<Record<Protocol, Readonly<Record<RefusalReason, readonly [string, number]>>>> = {
  s3: {
    malformed: ['AuthorizationHeaderMalformed', 400],
    'unknown-key': ['InvalidAccessKeyId', 403],
    mismatch: ['SignatureDoesNotMatch', 403],
    'wrong-region': ['AuthorizationHeaderMalformed', 400],
    skewed: ['RequestTimeTooSkewed', 403],
    expired: ['AccessDenied', 403],
    'body-changed': ['XAmzContentSHA256Mismatch', 400],
    'unsigned-headers': ['AccessDenied', 403],
  },
  query: {
    malformed: ['IncompleteSignature', 400],
    'unknown-key': ['InvalidClientTokenId', 403],
    mismatch: ['SignatureDoesNotMatch', 403],
    'wrong-region': ['SignatureDoesNotMatch', 403],
    skewed: ['SignatureDoesNotMatch', 403],
    expired: ['SignatureDoesNotMatch', 403],
    'body-changed': ['SignatureDoesNotMatch', 403],
    'unsigned-headers': ['SignatureDoesNotMatch', 403],
  },
  json: JSON_CODES,
  'rest-json': JSON_CODES,
};
