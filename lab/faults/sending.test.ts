import { expect, test } from 'vitest';
import { allowedRepeats, type SendingEvent } from './sending.ts';

const run = 'rows/d/000001';
const publishes = (pid: number): SendingEvent => ({ event: 'publishes', run, pid });
const noted = (pid: number): SendingEvent => ({ event: 'noted', run, pid });
const failed = (pid: number): SendingEvent => ({ event: 'failed', run, pid });
const killed = (pid: number): SendingEvent => ({ event: 'killed', pid });

test.each<[string, SendingEvent[]]>([
  ['was killed', [publishes(1), killed(1), publishes(2), noted(2)]],
  ['died with the stack', [publishes(1), { event: 'stack ended' }, publishes(2), noted(2)]],
  ['was refused its note', [publishes(1), failed(1), publishes(2), noted(2)]],
  ['was refused its note, and its client tried again', [publishes(1), failed(1), publishes(1), noted(1)]],
])('a message may come again where its sender %s before it was noted', (_, events) => {
  expect(allowedRepeats(events).get(run)).toBe(1);
});

test.each<[string, SendingEvent[]]>([
  ['nothing happened', [publishes(1), publishes(2), noted(2)]],
  ['another process was killed', [publishes(1), killed(3), publishes(2), noted(2)]],
  ['the sender was killed after its note', [publishes(1), noted(1), killed(1), publishes(2), noted(2)]],
  ['the stack ended after the note', [publishes(1), noted(1), { event: 'stack ended' }, publishes(2)]],
  ['the sender was killed before it published', [killed(1), publishes(1), publishes(2), noted(2)]],
  ['the note was refused first', [publishes(1), failed(1), noted(1), killed(1), publishes(2)]],
  ['the message came once', [publishes(1), killed(1)]],
])('no repetition is allowed where %s', (_, events) => {
  expect(allowedRepeats(events).get(run) ?? 0).toBe(0);
});

test('each sender that was kept from its note allows one', () => {
  const events = [publishes(1), killed(1), publishes(2), failed(2), publishes(3), noted(3)];
  expect(allowedRepeats(events).get(run)).toBe(2);
});
