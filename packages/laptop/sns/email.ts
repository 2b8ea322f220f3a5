import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subscription, Topic } from './topic.ts';
import type { Message } from './topic-message.ts';

/** An e-mail that was put into the outbox. */
export interface SentEmail {
  readonly to: string;
  readonly subject: string;
  /** The .eml file: any mail program opens it. */
  readonly path: string;
}

/** Writes the message as an .eml file; nothing leaves the machine. */
export function sendEmail(
  outbox: string,
  {
    topic,
    subscription,
    message,
  }: {
    readonly topic: Topic;
    readonly subscription: Subscription;
    readonly message: Message;
  },
): SentEmail {
  const subject = message.subject ?? 'AWS Notification Message';
  const from = topic.attributes['DisplayName'] ?? 'AWS Notifications';
  const text = message.body;
  const encoding = contentEncoding(text);
  const lines = [
    `From: ${encodeHeader(from)} <no-reply@sns.local>`,
    `To: ${subscription.endpoint}`,
    `Subject: ${subject}`,
    `Date: ${new Date(message.timeMs).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${message.id}@sns.local>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    encoding === '8bit'
      ? text.replaceAll(/\r?\n/g, '\r\n')
      : Buffer.from(text)
          .toString('base64')
          .replaceAll(/(.{76})/g, '$1\r\n'),
    '',
  ];
  mkdirSync(outbox, { recursive: true });
  const time = new Date(message.timeMs).toISOString().replaceAll(/[:.]/g, '-');
  const path = join(outbox, `${time}-${message.id.slice(0, 8)}-${subscription.arn.slice(-8)}.eml`);
  writeFileSync(path, lines.join('\r\n'));
  return { to: subscription.endpoint, subject, path };
}

/** Readable with any editor, unless a line is longer than RFC 5322 allows. */
function contentEncoding(text: string): '8bit' | 'base64' {
  return text.split('\n').every((line) => Buffer.byteLength(line) <= 997) ? '8bit' : 'base64';
}

function encodeHeader(text: string): string {
  return /^[\w .-]*$/.test(text) ? `"${text}"` : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}
