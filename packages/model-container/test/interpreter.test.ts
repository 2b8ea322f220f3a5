import { expect, test } from 'vitest';
import { type InterpreterOptions, startInterpreter } from '../handlers/interpreter.ts';
import { type FromInterpreter, toMessage } from '../handlers/messages.ts';
import { encodeFrame, FrameReader } from '../python-process/python-frames.ts';

const OPTIONS: InterpreterOptions = {
  modelDir: '',
  environment: {},
  restPort: 1,
  networkIsolation: false,
  pythonMinor: 12,
  hasTimeout: true,
  restApi: { answer: () => Promise.resolve({ status: 200, body: '{}' }) },
  servingPath: () => '/',
  context: () => [],
  answerFor: () => undefined,
  timeoutMs: 0,
  log: () => undefined,
};
const NOTHING = Buffer.alloc(0);
const REQUEST = { body: NOTHING, contentType: undefined, accept: undefined, customAttributes: undefined };

/** An interpreter whose process says what the test has it say. */
async function interpreter() {
  let say: (message: FromInterpreter) => void = () => undefined;
  const starting = startInterpreter(OPTIONS, (_options, events) => {
    say = events.receive;
    return Promise.resolve({ post: () => undefined, kill: () => events.end('killed') });
  });
  say({ kind: 'ready', body: NOTHING });
  return { python: await starting, say: (message: FromInterpreter) => say(message) };
}
const answer = (id: number) =>
  ({ kind: 'answer', id, status: 200, contentType: 'a/b', body: NOTHING }) as const;

test('what comes for no request is no answer', async () => {
  const { python, say } = await interpreter();
  expect(() => say(answer(0))).toThrow('it has no request 0 to answer');
  const answered = python.invoke(REQUEST);
  say(answer(0));
  expect(await answered).toMatchObject({ status: 200, contentType: 'a/b' });
  expect(() => say(answer(0))).toThrow('it has no request 0 to answer');
  expect(() => say({ kind: 'serve', id: 0, body: NOTHING })).toThrow('it has no request 0 to answer');
});

test('a request waits for the model once at a time', async () => {
  const { python, say } = await interpreter();
  void python.invoke(REQUEST);
  say({ kind: 'serve', id: 0, body: NOTHING });
  expect(() => say({ kind: 'serve', id: 0, body: NOTHING })).toThrow('it has no request 0 to answer');
  expect(() => say(answer(0))).toThrow('it has no request 0 to answer');
});

test('waiting has a bound, and an end only after a beginning', async () => {
  const { say } = await interpreter();
  expect(() => say({ kind: 'computes', body: NOTHING })).toThrow('it goes on without having waited');
  const waiting = await interpreter();
  for (let count = 0; count < 100; count++) waiting.say({ kind: 'waits', body: NOTHING });
  expect(() => waiting.say({ kind: 'waits', body: NOTHING })).toThrow(
    'it waits in more places than it has threads',
  );
});

test.each([
  ['no kind', {}],
  ['an unknown kind', { kind: 'stop' }],
  ['a number for a line', { kind: 'log', line: 1 }],
  ['a member too many', { kind: 'ready', id: 1 }],
  ['a status below 200', { kind: 'answer', id: 1, status: 100 }],
  ['a status above 599', { kind: 'answer', id: 1, status: 1e9 }],
  ['a line break in a content type', { kind: 'answer', id: 1, status: 200, contentType: 'a\r\nb: c' }],
  ['a broken id', { kind: 'serve', id: 0.5 }],
  ['no object', null],
])('%s is no message', (_name, header) => {
  expect(() => toMessage({ header, body: NOTHING })).toThrow();
});

test('a frame has a bound before its bytes are awaited', () => {
  const prefix = (header: number, body: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32LE(header, 0);
    bytes.writeUInt32LE(body, 4);
    return bytes;
  };
  expect(() => new FrameReader().push(prefix(2, 0xffffffff))).toThrow("a frame's body must have at most");
  expect(() => new FrameReader().push(prefix(0xffffffff, 0))).toThrow("a frame's header must have at most");
  expect(() => new FrameReader().push(Buffer.concat([prefix(2, 0), Buffer.from('{]')]))).toThrow(SyntaxError);
  expect(new FrameReader().push(encodeFrame({ a: 1 }, [Buffer.from('b')]))).toEqual([
    { header: { a: 1 }, body: Buffer.from('b') },
  ]);
});
