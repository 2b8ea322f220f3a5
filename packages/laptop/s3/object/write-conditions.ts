import { AwsError } from '../../kernel/aws-error.ts';
import type { ObjectVersion } from '../store/object-version.ts';

/** A writer's expectation of the key, in `If-None-Match` and `If-Match`. */
export interface WriteConditions {
  /** Only `*`. */
  readonly ifNoneMatch?: string | undefined;
  readonly ifMatch?: string | undefined;
}

/** Reads the conditions of a write, which are checked by `checkWriteConditions`. */
export function writeConditions(headers: Readonly<Record<string, string>>): WriteConditions {
  return { ifNoneMatch: headers['if-none-match'], ifMatch: headers['if-match'] };
}

/**
 * Checks what the writer expects of the key now. To be called when a body begins (to refuse early) and again in the turn that commits.
 *
 * @throws {AwsError} `PreconditionFailed`, `NoSuchKey` for an `If-Match` on nothing, `NotImplemented` for an `If-None-Match`
 * that names an ETag
 */
export function checkWriteConditions(conditions: WriteConditions, current: ObjectVersion | undefined): void {
  const { ifNoneMatch, ifMatch } = conditions;
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch !== '*')
      throw new AwsError('NotImplemented', `If-None-Match on a write must be *, is ${ifNoneMatch}`, {
        statusCode: 501,
      });
    if (current) throw preconditionFailed('If-None-Match');
  }
  if (ifMatch !== undefined) {
    if (!current) throw noSuchKey();
    if (ifMatch !== '*' && unquoted(ifMatch) !== current.etag) throw preconditionFailed('If-Match');
  }
}

/** The error of status 412; `condition` is the header that does not hold. */
export function preconditionFailed(condition: string): AwsError {
  return new AwsError('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    statusCode: 412,
    details: { Condition: condition },
  });
}

/** The error of status 404, with the key where it is given. */
export function noSuchKey(key?: string): AwsError {
  return new AwsError('NoSuchKey', 'The specified key does not exist.', {
    statusCode: 404,
    details: key === undefined ? {} : { Key: key },
  });
}

/** An ETag as it is compared: without quotes. */
export function unquoted(etag: string): string {
  return etag.trim().replace(/^"(.*)"$/, '$1');
}
