import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';
import { messageSizeBytes } from '../sqs/queue-message.ts';

/** One attribute of a message; `BinaryValue` is base64. */
const MessageAttribute = z.strictObject({
  DataType: z
    .string()
    .regex(/^(String|Number|Binary|String\.Array)$/, 'must be String, String.Array, Number or Binary'),
  StringValue: z.string().optional(),
  BinaryValue: z.string().optional(),
});

type MessageAttribute = z.infer<typeof MessageAttribute>;

/** A message as publishers give it. */
export interface Message {
  readonly id: string;
  readonly body: string;
  readonly subject: string | undefined;
  readonly attributes: Readonly<Record<string, MessageAttribute>>;
  readonly timeMs: number;
}

/** Input of publishers, before it is checked. */
export const MessageInput = z.strictObject({
  Message: z.string(),
  Subject: z.string().optional(),
  MessageAttributes: z.record(z.string(), MessageAttribute).default({}),
});

const MAX_BYTES = 262_144;

/** @throws {AwsError} `InvalidParameter` as SNS has it: size, subject, attributes */
export function toMessage(input: z.infer<typeof MessageInput>, id: string, timeMs: number): Message {
  const { Message: text, Subject: subject, MessageAttributes: attributes } = input;
  if (text === '') throw invalid('Empty message');
  const sizeBytes = messageSizeBytes(text, attributes);
  if (sizeBytes > MAX_BYTES) throw invalid(`Message too long: ${sizeBytes} bytes, at most ${MAX_BYTES}`);
  if (subject !== undefined && !/^[\x21-\x7e][\x20-\x7e]{0,99}$/.test(subject))
    throw invalid(
      `Subject must be 1 to 100 printable ASCII characters without line breaks, is ${JSON.stringify(subject)}`,
    );
  for (const [name, { DataType, StringValue, BinaryValue }] of Object.entries(attributes)) {
    const refuse = (reason: string): never => {
      throw new AwsError('ParameterValueInvalid', `The message attribute '${name}' ${reason}`);
    };
    if (((DataType === 'Binary' ? BinaryValue : StringValue) ?? '') === '')
      refuse(`must contain non-empty message attribute value for message attribute type '${DataType}'.`);
    if (DataType === 'Number' && Number.isNaN(Number(StringValue)))
      refuse(`could not be cast to Number, is ${StringValue}`);
    if (DataType === 'String.Array' && !isList(StringValue))
      refuse(`of type String.Array must be a JSON list, is ${StringValue}`);
  }
  return { id, body: text, subject, attributes, timeMs };
}

function isList(text = ''): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    // Text that is not JSON is not a list.
    return false;
  }
}

/** An error of SNS's most frequent kind. */
export function invalid(message: string): AwsError {
  return new AwsError('InvalidParameter', `Invalid parameter: ${message}`);
}
