import { AwsError, validationException } from '../kernel/aws-error.ts';
import { isWithinLimit, type Payload, payloadFromText } from './payload.ts';

/** @throws {AwsError} `InvalidExecutionInput`, `ValidationException` */
export function readInput(input: string): Payload {
  if (!isWithinLimit(input)) {
    throw validationException("Value at 'input' failed to satisfy constraint: at most 262144 bytes of UTF-8");
  }
  try {
    return payloadFromText(input);
  } catch (error) {
    throw new AwsError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${String(error)}'`);
  }
}
