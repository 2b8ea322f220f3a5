import type { Topic, TopicMessage } from '../../src/aws/messages/topic.ts';

export interface MemoryTopic extends Topic {
  readonly messages: TopicMessage[];
}

/** A topic that keeps what was published. */
export function memoryTopic({
  before,
}: {
  before?: (operation: 'publish', phase: 'request' | 'answer') => Promise<void> | void;
} = {}): MemoryTopic {
  const messages: TopicMessage[] = [];
  return {
    messages,
    async publish(message) {
      await before?.('publish', 'request');
      messages.push(message);
      const messageId = `message-${messages.length}`;
      await before?.('publish', 'answer');
      return { messageId };
    },
  };
}
