import type { Site } from '../kernel/service.ts';
import { queueArn } from './queue-address.ts';
import type { Message } from './queue-message.ts';
import { invalidRedrive, type QueueSettings } from './queue-settings.ts';

/** Name of the queue that takes what is received too often; undefined if none does. */
export function deadLetterQueue(settings: QueueSettings | undefined): string | undefined {
  return settings?.redrive?.deadLetterTargetArn.split(':').at(-1);
}

/**
 * Checks that the dead-letter queue is there: a misspelled name would bring messages back for ever, since nothing would give
 * them up.
 *
 * @param given the attribute RedrivePolicy that `settings` come of
 * @throws {AwsError} `InvalidParameterValue`
 */
export function checkRedrive(
  settings: QueueSettings,
  given: string,
  site: Site,
  has: (name: string) => boolean,
): void {
  const target = settings.redrive?.deadLetterTargetArn;
  const name = deadLetterQueue(settings) ?? '';
  if (target === undefined || (has(name) && target === queueArn(site, name))) return;
  throw invalidRedrive(
    given,
    target.startsWith('arn:') && (target.split(':')[3] ?? '') !== site.region
      ? 'Dead-letter target must be in same region as the source.'
      : 'Dead letter target does not exist.',
  );
}

/** The message as the dead-letter queue takes it. */
export function toDeadLetter(message: Message, sourceArn: string, nowMs: number): Message {
  const { firstReceivedMs: _, ...kept } = message;
  return { ...kept, receiveCount: 0, visibleMs: nowMs, deadLetterSource: sourceArn };
}
