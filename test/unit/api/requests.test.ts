import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readInputs } from '../../../src/api/inputs.ts';
import { parseMediaType, toModelType, typeOfUntyped } from '../../../src/api/media-type.ts';
import { parseMultipart } from '../../../src/api/multipart.ts';
import { problemResponse, RequestProblem } from '../../../src/api/problem-details.ts';

describe('content types', () => {
  test.each([
    ['image/png', 'image', 'image/png'],
    ['IMAGE/JPEG; q=1', 'image', 'image/jpeg'],
    ['image/webp', 'image', 'image/webp'],
    ['application/json; charset=utf-8', 'records', 'application/json'],
  ])('%s', (text, kind, essence) => {
    expect(parseMediaType(text)).toMatchObject({ kind, essence });
  });

  test.each(['multipart/form-data; boundary=abc', 'multipart/form-data; boundary="abc"'])('%s', (text) => {
    expect(parseMediaType(text)).toMatchObject({ kind: 'multipart', boundary: 'abc' });
  });

  test.each([undefined, '', 'text/html', 'image/svg+xml'])('%s is not taken', (text) => {
    expect(() => parseMediaType(text)).toThrow(RequestProblem);
  });

  test('an image goes under the type that batch gives it; records as what they are', () => {
    expect(toModelType('image/png', 'application/x-image')).toBe('application/x-image');
    expect(toModelType('image/png', 'image/jpeg')).toBe('image/jpeg');
    expect(toModelType('text/csv', 'application/x-image')).toBe('text/csv');
    expect(toModelType('image/png', 'application/json')).toBe('image/png');
    expect(toModelType('image/webp', 'application/octet-stream')).toBe('application/octet-stream');
    expect(toModelType('image/webp', 'text/plain')).toBe('image/webp');
    expect(toModelType('text/csv', 'text/csv; header=absent')).toBe('text/csv; header=absent');
  });

  test('a long type that is not taken is cut in the words about it', () => {
    expect(() => parseMediaType('x'.repeat(9_000))).toThrow(/; it is x{100}$/);
  });

  test('what names no type is what the pipeline reads', () => {
    expect(typeOfUntyped('application/x-image')).toBe('application/x-image');
    expect(typeOfUntyped('text/csv; header=absent')).toBe('text/csv');
  });
});

describe('multipart bodies', () => {
  test('any bytes come back as they were, whatever is among them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.stringMatching(/^[a-z0-9 ü"\\]{1,20}$/), fc.uint8Array({ maxLength: 200 })), {
          minLength: 1,
          maxLength: 5,
        }),
        async (files) => {
          const form = new FormData();
          for (const [name, bytes] of files)
            form.append('image', new Blob([Uint8Array.from(bytes)], { type: 'image/png' }), name);
          const encoded = new Response(form);
          const { boundary } = parseMediaType(encoded.headers.get('content-type')!);
          const parts = parseMultipart(new Uint8Array(await encoded.arrayBuffer()), boundary!, 64);
          expect(parts.map(({ bytes }) => [...bytes])).toEqual(files.map(([, bytes]) => [...bytes]));
          expect(parts.every(({ contentType }) => contentType === 'image/png')).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  test.each([
    ['', 'does not end'],
    ['nothing of the kind', 'does not end'],
    ['--b\r\n\r\nbody without an end', 'does not end'],
    ['--b--\r\n', 'has no part'],
    ['--b\r\nno header\r\n--b--', 'has no headers'],
  ])('%j is refused', (text, reason) => {
    expect(() => parseMultipart(Buffer.from(text), 'b', 64)).toThrow(reason);
  });

  const form = (type: string): Parameters<typeof readInputs>[0] => ({
    version: '2.0',
    routeKey: '',
    rawPath: '',
    rawQueryString: '',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    pathParameters: {},
    queryStringParameters: {},
    requestContext: {},
    body: `--b\r\ncontent-disposition: form-data; name="f"; filename="notes.txt"\r\n${type}\r\n1,2\r\n--b--`,
    isBase64Encoded: false,
  });

  test.each([
    ['content-type: text/csv; charset=utf-8\r\n', 'text/csv'],
    ['content-type: application/json\r\n', 'application/json'],
    ['content-type: image/webp\r\n', 'image/webp'],
    ['content-type: application/octet-stream\r\n', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('a part with %j goes under %s', (type, essence) => {
    expect(readInputs(form(type))).toMatchObject([{ name: 'notes.txt', essence }]);
  });

  test('a part of another type is refused by its name', () => {
    expect(() => readInputs(form('content-type: text/plain\r\n'))).toThrow(
      /^part "notes\.txt" must be one of application\/x-image, .*; it is text\/plain\. With curl: -F/,
    );
  });

  test('too many parts are refused', () => {
    const part = '--b\r\ncontent-disposition: form-data; name="image"\r\n\r\nx\r\n';
    expect(() => parseMultipart(Buffer.from(`${part.repeat(3)}--b--`), 'b', 2)).toThrow('at most 2 parts');
  });

  test('damaged bodies are refused or read, never anything else', () => {
    const body = Buffer.from(
      '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b--',
    );
    fc.assert(
      fc.property(fc.nat(body.length), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const damaged = Uint8Array.from(body);
        damaged[at] = byte;
        try {
          expect(parseMultipart(damaged, 'b', 64).length).toBeLessThanOrEqual(2);
        } catch (error) {
          expect(error).toBeInstanceOf(RequestProblem);
        }
      }),
    );
  });
});

test('a problem has the shape of RFC 9457', () => {
  const { statusCode, headers, body } = problemResponse(
    new RequestProblem('endpoint-not-ready', 'wait', { retryAfterSeconds: 5 }),
  );
  expect(statusCode).toBe(503);
  expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'retry-after': '5' });
  expect(JSON.parse(body)).toEqual({
    type: 'urn:inferdrop:problem:endpoint-not-ready',
    title: expect.any(String),
    status: 503,
    detail: 'wait',
  });
});
