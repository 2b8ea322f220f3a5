import { sqsError } from './sqs-error.ts';

/** @throws {AwsError} `InvalidParameterValue`, as SQS words it, for a number outside its range */
export function checkRange(name: string, value: number | undefined, min: number, max: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return;
  throw sqsError(
    'InvalidParameterValue',
    `Value ${value} for parameter ${name} is invalid. Reason: Must be between ${min} and ${max}, if provided.`,
  );
}
