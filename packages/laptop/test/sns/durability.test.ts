import { beforeEach, expect, test } from 'vitest';
import { toMessage } from '../../sns/topic-message.ts';
import { TopicStore } from '../../sns/topic-store.ts';
import { manualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const site = { partition: 'aws', region: 'us-east-1', account: '000000000000', baseUrl: () => '' } as any;

let dir: string;
beforeEach(async () => void (dir = temporaryFolder('sns-')));

test('a message is taken when it is on disk for the queue', async () => {
  const { promise: onDisk, resolve } = Promise.withResolvers<void>();
  const clock = manualClock();
  const store = new TopicStore({ dir, site, clock, deliver: () => onDisk });
  const { arn } = store.createTopic('runs', {});
  store.subscribe(arn, 'sqs', 'arn:aws:sqs:us-east-1:000000000000:in');
  let isTaken = false;
  const published = Promise.resolve(
    store.publish(arn, toMessage({ Message: 'done', MessageAttributes: {} }, 'id', clock.now())),
  ).then(() => void (isTaken = true));
  await new Promise(setImmediate);
  expect(isTaken).toBe(false);
  resolve();
  await published;
});
