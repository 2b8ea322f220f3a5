import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { required } from '../calls/answer.ts';
import { withErrorNames } from '../calls/aws-error.ts';

/** A message to all subscribers of a topic. */
export interface TopicMessage {
  /** At most 100 printable ASCII characters, as SNS requires. */
  readonly subject: string;
  readonly body: string;
  /** String attributes that subscribers can filter by; SNS refuses empty values. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** One SNS topic. */
export interface Topic {
  publish(message: TopicMessage): Promise<{ readonly messageId: string }>;
}

let client: SNSClient | undefined;

/** The topic of this ARN; the client is built on first use. */
export function topic({ arn }: { readonly arn: string }): Topic {
  return {
    async publish({ subject, body, attributes }) {
      client ??= new SNSClient();
      const MessageAttributes = Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
      );
      const answer = await withErrorNames(
        client.send(
          new PublishCommand({ TopicArn: arn, Subject: subject, Message: body, MessageAttributes }),
        ),
      );
      return { messageId: required(answer.MessageId, 'MessageId') };
    },
  };
}
