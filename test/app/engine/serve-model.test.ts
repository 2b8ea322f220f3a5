import { expect, test } from 'vitest';
import type { PredictingModel } from '../../../src/app/engine/lambda/predicting-model.ts';
import { serveModel } from '../../../src/app/engine/lambda/serve-model.ts';

const REQUEST = {
  pipeline: 'cats',
  model: { sha256: 'ab', imageUri: 'image', environment: {} },
  contentType: 'image/png',
  accept: 'application/json',
  body: Buffer.from('png').toString('base64'),
};
const MODEL: PredictingModel = {
  runtime: 'test',
  answer: async ({ body, contentType }) => ({
    status: 415,
    body: `${contentType} ${Buffer.from(body).toString()}`,
  }),
  renewScript: async () => undefined,
};

/** One request to a function whose time for a model is over when the controller says so. */
function serve(opening: Promise<PredictingModel>) {
  const time = new AbortController();
  const asked: number[] = [];
  const deadline = (ms: number): AbortSignal => {
    asked.push(ms);
    return time.signal;
  };
  const answering = serveModel(REQUEST, { openModel: () => opening, deadline });
  return { answering, asked, isOver: () => time.abort() };
}

test('a request is answered with the status and the bytes of the model', async () => {
  const { answering, asked } = serve(Promise.resolve(MODEL));
  const body = Buffer.from('image/png png').toString('base64');
  expect(await answering).toEqual({ status: 415, body });
  expect(asked).toEqual([18_000]);
});

test('a long refusal is cut, which Lambda could not return; a longer answer than it returns is refused', async () => {
  const answered = async (status: number, length = 5_000_000) => {
    const model = { ...MODEL, answer: async () => ({ status, body: `no: ${'x'.repeat(length)}` }) };
    const given = await serve(Promise.resolve(model)).answering;
    return 'body' in given ? Buffer.from(given.body, 'base64').toString() : '';
  };
  expect(await answered(400)).toMatch(/^no: x+… \(cut, 5000004 characters in all\)$/);
  expect((await answered(400)).length).toBe(2000);
  expect((await answered(200, 4_400_000)).length).toBe(4_400_004);
  expect(await answered(200)).toContain(
    'the answer has 5000004 bytes, and a function returns 4500000 at most',
  );
});

test('a model that is not open in time is said to be loading, whatever becomes of it', async () => {
  const opening = Promise.withResolvers<PredictingModel>();
  const { answering, isOver } = serve(opening.promise);
  isOver();
  expect(await answering).toEqual({ isLoading: true });
  opening.reject(new Error('broken'));
  await new Promise(setImmediate);
});

test('an answer may take longer than the loading may', async () => {
  const slow = Promise.withResolvers<{ status: number; body: string }>();
  const { answering, isOver } = serve(Promise.resolve({ ...MODEL, answer: () => slow.promise }));
  await new Promise(setImmediate);
  isOver();
  slow.resolve({ status: 200, body: '' });
  expect(await answering).toEqual({ status: 200, body: '' });
});

test('a model that cannot be opened is refused by its reason', async () => {
  const refused = Object.assign(new Error('no'), { name: 'ModelRefused' });
  await expect(serve(Promise.reject(refused)).answering).rejects.toBe(refused);
});
