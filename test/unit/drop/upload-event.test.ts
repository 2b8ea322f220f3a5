import { expect, it } from 'vitest';
import { parseUpload } from '../../../src/drop/upload-event.ts';
import { aDrop } from '../../support/a-run.ts';

const TIME = '2026-01-01T12:00:00Z';
const parse = (message: unknown) => parseUpload(JSON.stringify(message));

it('reads whose drop an upload concerns, and when it happened', () => {
  const upload = { drop: aDrop('cats/monday'), kind: 'file', at: new Date(TIME) };
  expect(parse({ key: 'incoming/cats/monday/a.png', time: TIME })).toEqual(upload);
  expect(parse({ key: 'incoming/cats/monday/a.png', time: '2026-01-01T13:00:00+01:00' })).toEqual(upload);
});

it('a key that belongs to no drop is misplaced, which is final', () => {
  expect(parse({ key: 'incoming/a.png', time: TIME })).toEqual({
    refused: 'misplaced',
    problem: 'key must be incoming/<pipeline>/<drop>/<file>, is "incoming/a.png": move it below a pipeline',
  });
});

it.each([
  ['no key', { time: TIME }, 'key'],
  ['an empty key', { key: '', time: TIME }, 'key'],
  ['a key longer than S3 takes', { key: `incoming/p/${'a'.repeat(1014)}`, time: TIME }, 'key'],
  ['no time', { key: 'incoming/p/d/a' }, 'time'],
  ['a time of no zone', { key: 'incoming/p/d/a', time: '2026-01-01T12:00:00' }, 'time'],
])('a message with %s is unreadable', (_, message, field) => {
  expect(parse(message)).toEqual({
    refused: 'unreadable',
    problem: expect.stringMatching(`^message must have key and time: (?:.|\\n)*at ${field}`),
  });
});

it('of a message that is not JSON the beginning is shown', () => {
  expect(parseUpload('x'.repeat(300))).toEqual({
    refused: 'unreadable',
    problem: `message must be JSON, is ${'x'.repeat(200)}`,
  });
});
