import { once } from 'node:events';
import { request as send } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, portOf } from '../loopback-server.ts';
import { createRestServer } from '../tensorflow/serving/rest-server.ts';

const server = createRestServer({ answer: () => Promise.resolve({ status: 200, body: '{}' }) });
beforeAll(() => listen(server));
afterAll(() => server.close());

test.each([
  [200, 'a script', {}],
  [403, 'a page whose name points here', { host: 'evil.example:8501' }],
  [403, 'a page of another site', { origin: 'http://evil.example' }],
])('%i for %s', async (status, _, headers) => {
  const asked = send({
    port: portOf(server),
    method: 'POST',
    headers: { host: 'localhost:8501', ...headers },
  });
  asked.end('{}');
  const [response] = await once(asked, 'response');
  response.resume();
  expect(response.statusCode).toBe(status);
});
