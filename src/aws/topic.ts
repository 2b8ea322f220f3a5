export interface TopicMessage {
  /** At most 100 printable ASCII characters, as SNS asks. */
  readonly subject: string;
  readonly body: string;
  /** String attributes that subscribers can filter by. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** One SNS topic. */
export interface Topic {
  publish(message: TopicMessage): Promise<{ readonly messageId: string }>;
}
