import * as z from 'zod';
import { parseResourcePolicy } from '../iam/resource-policy.ts';
import type { AwsError } from '../kernel/aws-error.ts';
import { jsonOrUndefined } from '../kernel/json.ts';
import { sqsError } from './sqs-error.ts';

const RedrivePolicy = z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.coerce.number() });
/** Limit of maxReceiveCount, by SQS's quotas. */
const MAX_RECEIVES = 1000;

/** A queue's attributes, in numbers. */
export const QueueSettings = z.object({
  visibilityTimeoutSeconds: z.number().default(30),
  delaySeconds: z.number().default(0),
  maximumMessageSize: z.number().default(1_048_576),
  retentionSeconds: z.number().default(345_600),
  waitSeconds: z.number().default(0),
  redrive: RedrivePolicy.optional(),
  /** Attributes without meaning on one machine, kept as they came: policies and encryption. */
  recorded: z.record(z.string(), z.string()).default({}),
});
export type QueueSettings = z.infer<typeof QueueSettings>;

const RANGES = {
  VisibilityTimeout: { setting: 'visibilityTimeoutSeconds', min: 0, max: 43_200 },
  DelaySeconds: { setting: 'delaySeconds', min: 0, max: 900 },
  MaximumMessageSize: { setting: 'maximumMessageSize', min: 1024, max: 1_048_576 },
  MessageRetentionPeriod: { setting: 'retentionSeconds', min: 60, max: 1_209_600 },
  ReceiveMessageWaitTimeSeconds: { setting: 'waitSeconds', min: 0, max: 20 },
} as const;

const RECORDED = new Set([
  'Policy',
  'RedriveAllowPolicy',
  'KmsMasterKeyId',
  'KmsDataKeyReusePeriodSeconds',
  'SqsManagedSseEnabled',
]);

/**
 * Settings with the given attributes changed, as CreateQueue, SetQueueAttributes and templates name them.
 *
 * @throws {AwsError} `InvalidAttributeName`, `InvalidAttributeValue`, `UnsupportedOperation` (FIFO)
 */
export function withAttributes(
  settings: QueueSettings,
  attributes: Readonly<Record<string, string>>,
): QueueSettings {
  if (attributes['SqsManagedSseEnabled'] === 'true' && (attributes['KmsMasterKeyId'] ?? '') !== '')
    throw sqsError(
      'InvalidAttributeValue',
      'You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE.',
    );
  const next: QueueSettings = { ...settings, recorded: { ...settings.recorded } };
  for (const [name, value] of Object.entries(attributes)) {
    if (isRanged(name)) next[RANGES[name].setting] = parseRanged(name, value);
    else if (name === 'RedrivePolicy') {
      if (value === '') delete next.redrive;
      else next.redrive = parseRedrive(value);
    } else if (RECORDED.has(name)) {
      if (name === 'Policy' && value !== '')
        parseResourcePolicy('of the queue', value, 'InvalidAttributeValue');
      next.recorded[name] = value;
    } else if (name === 'FifoQueue' || name === 'ContentBasedDeduplication') {
      throw sqsError(
        'UnsupportedOperation',
        `${name}: this stack has standard queues only, FIFO queues are not emulated`,
      );
    } else throw sqsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
  }
  return next;
}

/** The attributes as GetQueueAttributes gives them: every value is text. */
export function toAttributes(settings: QueueSettings): Readonly<Record<string, string>> {
  const { redrive } = settings;
  return {
    VisibilityTimeout: String(settings.visibilityTimeoutSeconds),
    DelaySeconds: String(settings.delaySeconds),
    MaximumMessageSize: String(settings.maximumMessageSize),
    MessageRetentionPeriod: String(settings.retentionSeconds),
    ReceiveMessageWaitTimeSeconds: String(settings.waitSeconds),
    SqsManagedSseEnabled: settings.recorded['KmsMasterKeyId'] ? 'false' : 'true',
    ...settings.recorded,
    ...(redrive ? { RedrivePolicy: JSON.stringify(redrive) } : {}),
  };
}

function isRanged(name: string): name is keyof typeof RANGES {
  return Object.hasOwn(RANGES, name);
}

function parseRanged(name: keyof typeof RANGES, value: string): number {
  const { min, max } = RANGES[name];
  const number = Number(value);
  if (value.trim() !== '' && Number.isInteger(number) && number >= min && number <= max) return number;
  throw sqsError(
    'InvalidAttributeValue',
    `Invalid value for the parameter ${name}. It must be a whole number ${min}..${max}, is ${JSON.stringify(value)}`,
  );
}

function parseRedrive(value: string): z.infer<typeof RedrivePolicy> {
  const given = jsonOrUndefined(value);
  for (const name of ['deadLetterTargetArn', 'maxReceiveCount'])
    if (typeof given === 'object' && given !== null && !Object.hasOwn(given, name))
      throw invalidRedrive(value, `Redrive policy does not contain mandatory attribute: ${name}.`);
  const parsed = RedrivePolicy.safeParse(given);
  if (!parsed.success) throw invalidRedrive(value, 'Redrive policy is not a valid JSON map.');
  const { maxReceiveCount: count } = parsed.data;
  if (!Number.isInteger(count) || count < 1 || count > MAX_RECEIVES)
    throw invalidRedrive(
      value,
      `Invalid value for maxReceiveCount: ${count}, valid values are from 1 to ${MAX_RECEIVES} both inclusive.`,
    );
  return parsed.data;
}

/** SQS's error for a RedrivePolicy. */
export function invalidRedrive(value: string, reason: string): AwsError {
  return sqsError(
    'InvalidParameterValue',
    `Value ${value} for parameter RedrivePolicy is invalid. Reason: ${reason}`,
  );
}
