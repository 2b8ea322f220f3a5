import { jsonOrUndefined } from '../kernel/json-or-undefined.ts';
import { type EventMatcher, parseEventPattern } from '../pattern/event-pattern.ts';
import type { Subscription } from './topic.ts';
import { invalid, type Message, type MessageAttribute } from './topic-message.ts';

/** By SNS's quotas. */
const MAX_KEYS = 5;

/** Says whether a subscription gets a message. */
export type MessageFilter = (message: Message) => boolean;

/** @throws {AwsError} `InvalidParameter` if the policy is malformed */
export function filterOf({ filterPolicy, filterScope }: Subscription): MessageFilter {
  if (filterPolicy === undefined) return () => true;
  const matches = parsePolicy(filterPolicy);
  return filterScope === 'MessageBody'
    ? (message) => matches(jsonOrUndefined(message.body))
    : (message) =>
        matches(
          Object.fromEntries(
            Object.entries(message.attributes).map(([name, value]) => [name, toValue(value)]),
          ),
        );
}

function parsePolicy(text: string): EventMatcher {
  try {
    const policy: unknown = JSON.parse(text);
    // An empty policy lets everything pass.
    if (JSON.stringify(policy) === '{}') return () => true;
    if (keysIn(policy) > MAX_KEYS)
      throw new RangeError(`Filter policy can not have more than ${MAX_KEYS} keys`);
    return parseEventPattern(policy);
  } catch (error) {
    throw invalid(
      `Attributes Reason: FilterPolicy: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Keys with a list of values, in objects inside objects too. */
function keysIn(policy: unknown): number {
  if (typeof policy !== 'object' || policy === null || Array.isArray(policy)) return 0;
  return Object.values(policy).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) ? 1 : keysIn(value)),
    0,
  );
}

function toValue({ DataType, StringValue = '' }: MessageAttribute): unknown {
  if (DataType === 'Number') return Number(StringValue);
  // A malformed array, and binary, match nothing but "exists".
  return DataType === 'String.Array' ? jsonOrUndefined(StringValue) : StringValue;
}
