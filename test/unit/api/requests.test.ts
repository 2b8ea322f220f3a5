import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonResponse } from '../../../src/api/http-request.ts';
import { readInputs } from '../../../src/api/inputs.ts';
import { isImageType, toModelType, typeOfUntyped } from '../../../src/api/media-type.ts';
import { parseMultipart } from '../../../src/api/multipart.ts';
import { parseMediaType } from '../../../src/api/parse-media-type.ts';
import { problemResponse, RequestProblem } from '../../../src/api/problem-details.ts';

const REQUEST: Parameters<typeof readInputs>[0] = {
  version: '2.0',
  routeKey: '',
  rawPath: '',
  rawQueryString: '',
  headers: {},
  pathParameters: {},
  queryStringParameters: {},
  requestContext: {},
  isBase64Encoded: false,
};

describe('a body that is the input', () => {
  const csv = (body: string | undefined, isBase64Encoded = false) => ({
    ...REQUEST,
    headers: { 'content-type': 'text/csv' },
    isBase64Encoded,
    ...(body !== undefined && { body }),
  });

  test.each([
    ['as text', csv('1,ü'), '1,ü'],
    ['in base64', csv(Buffer.from('1,ü').toString('base64'), true), '1,ü'],
  ])('is read %s', (_, request, text) => {
    expect(readInputs(request)).toEqual([{ name: null, essence: 'text/csv', bytes: Buffer.from(text) }]);
  });

  test.each(['', undefined])('must not be empty (%j)', (body) => {
    expect(() => readInputs(csv(body))).toThrow(
      expect.objectContaining({ kind: 'invalid-request', message: 'the body must not be empty' }),
    );
  });

  test('has at most 4.5 MB, since Lambda takes no more', () => {
    expect(readInputs(csv('x'.repeat(4_500_000)))).toHaveLength(1);
    expect(() => readInputs(csv('x'.repeat(4_500_001)))).toThrow(
      expect.objectContaining({
        kind: 'body-too-large',
        message: expect.stringMatching(/^the body must have at most 4500000 bytes, has 4500001: drop/),
      }),
    );
  });
});

test('an answer in JSON is stored by nothing between', () => {
  expect(jsonResponse(202, { a: 1 }, { location: '/x' })).toEqual({
    statusCode: 202,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', location: '/x' },
    body: '{"a":1}',
  });
});

describe('content types', () => {
  test.each([
    ['image/png', 'image', 'image/png'],
    ['IMAGE/JPEG; q=1', 'image', 'image/jpeg'],
    ['image/webp', 'image', 'image/webp'],
    ['application/json; charset=utf-8', 'records', 'application/json'],
  ])('%s', (text, kind, essence) => {
    expect(parseMediaType(text)).toMatchObject({ kind, essence });
  });

  test.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['multipart/form-data; boundary="abc"', 'abc'],
    ['multipart/form-data;  charset=utf-8;boundary="a b;c"; x=1', 'a b;c'],
    ['multipart/form-data; BOUNDARY=abc; x=1', 'abc'],
    [`multipart/form-data; boundary=${'a'.repeat(70)}`, 'a'.repeat(70)],
  ])('%s', (text, boundary) => {
    expect(parseMediaType(text)).toEqual({ kind: 'multipart', essence: 'multipart/form-data', boundary });
  });

  test.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; x=boundary=b'])(
    '%s names no boundary',
    (text) => {
      expect(() => parseMediaType(text)).toThrow(
        expect.objectContaining({ kind: 'invalid-request', message: expect.stringContaining('boundary') }),
      );
    },
  );

  test.each([
    [undefined, 'is missing'],
    ['', 'is missing'],
    ['text/html', 'is text/html'],
    ['image/svg+xml', 'is image/svg+xml'],
  ])('%s is not taken', (text, given) => {
    expect(() => parseMediaType(text)).toThrow(
      expect.objectContaining({
        kind: 'unsupported-media-type',
        message: expect.stringMatching(
          new RegExp(
            `^Content-Type must be one of application/x-image, .*, multipart/form-data; it ${given.replace('+', '.')}$`,
          ),
        ),
      }),
    );
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
    expect(typeOfUntyped('image/png')).toBe('application/x-image');
  });

  test('an image is one record, a list of records is not', () => {
    expect(['image/png', 'application/x-image', 'text/csv', 'application/json'].map(isImageType)).toEqual([
      ...[true, true, false, false],
    ]);
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
    ['--b\r\nno header\r\n--b--', 'part 1 of the multipart body has no headers'],
    [`--b\r\nx: ${'x'.repeat(8_192)}\r\n\r\nbody\r\n--b--`, 'part 1 of the multipart body has no headers'],
  ])('%.40j is refused', (text, reason) => {
    expect(() => parseMultipart(Buffer.from(text), 'b', 64)).toThrow(
      expect.objectContaining({ kind: 'invalid-request', message: expect.stringContaining(reason) }),
    );
  });

  test.each([
    ['form-data; name="field"; filename="a.png"', 'a.png'],
    ['form-data; filename=a.png; name=field', 'a.png'],
    ['form-data; name="field"', 'field'],
    ['form-data; NAME=field', 'field'],
    ['form-data; name="a \\"b\\" \\\\"', 'a "b" \\'],
    ['form-data; name=""', ''],
    ['form-data', 'part 1'],
  ])('a part with the disposition %s is named %j', (disposition, name) => {
    const text = `--b\r\nX: y\r\nContent-Disposition: ${disposition}\r\n\r\nbody\r\n--b--`;
    expect(parseMultipart(Buffer.from(text), 'b', 1)).toEqual([
      { name, contentType: 'application/octet-stream', bytes: Buffer.from('body') },
    ]);
  });

  test.each([
    ['text before the first boundary', 'a preamble\r\n--b\r\n\r\n1\r\n--b--'],
    ['white space after a boundary', '--b \t\r\n\r\n1\r\n--b--'],
    ['text after the last boundary', '--b\r\n\r\n1\r\n--b--\r\nan epilogue\r\n--b\r\n\r\n2'],
    ['a boundary within a line', '--b\r\n\r\n1--b\r\n--b--', '1--b'],
  ])('%s is no part', (_, text, body = '1') => {
    const parts = parseMultipart(Buffer.from(text), 'b', 1);
    expect(parts.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([body]);
  });

  test('a header of another name is no name of a part', () => {
    const text = '--b\r\nX-Content-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--';
    expect(parseMultipart(Buffer.from(text), 'b', 1)).toMatchObject([{ name: 'part 1' }]);
  });

  test('a body in the middle of a larger buffer is read alone', () => {
    const whole = Buffer.from('garbage--b\r\n\r\n1\r\n--b--garbage');
    const body = new Uint8Array(whole.buffer, whole.byteOffset + 7, whole.length - 14);
    expect(parseMultipart(body, 'b', 1)).toHaveLength(1);
  });

  const form = (type: string) => ({
    ...REQUEST,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: `--b\r\ncontent-disposition: form-data; name="f"; filename="notes.txt"\r\n${type}\r\n1,2\r\n--b--`,
  });

  test.each([
    ['content-type: text/csv; charset=utf-8\r\n', 'text/csv'],
    ['content-type: application/json\r\n', 'application/json'],
    ['content-type: image/webp\r\n', 'image/webp'],
    ['content-type: application/octet-stream\r\n', 'application/octet-stream'],
    ['content-type:TEXT/CSV \r\n', 'text/csv'],
    ['content-type:   text/csv  ; charset=utf-8\r\n', 'text/csv'],
    ['x-content-type: text/csv\r\n', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('a part with %j goes under %s', (type, essence) => {
    expect(readInputs(form(type))).toMatchObject([{ name: 'notes.txt', essence }]);
  });

  test('a part of another type is refused by its name', () => {
    expect(() => readInputs(form('content-type: text/plain\r\n'))).toThrow(
      /^part "notes\.txt" must be one of application\/x-image, .*; it is text\/plain\. With curl: -F/,
    );
  });

  test('a part without a byte is refused by its name', () => {
    const empty = form('').body.replace('1,2', '');
    expect(() => readInputs({ ...form(''), body: empty })).toThrow('part "notes.txt" must not be empty');
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
  expect(headers).toEqual({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'retry-after': '5',
  });
  const long = JSON.parse(problemResponse(new RequestProblem('model-error', '\0'.repeat(9e6))).body).detail;
  expect(long.length).toBe(4000);
  expect(long).toMatch(/… \(cut, 9000000 characters in all\)$/);
  expect(problemResponse(new RequestProblem('no-data', '')).headers).not.toHaveProperty('retry-after');
  expect(JSON.parse(body)).toEqual({
    type: 'urn:inferdrop:problem:endpoint-not-ready',
    title: expect.any(String),
    status: 503,
    detail: 'wait',
  });
});
