import { HttpRequest } from '../../../src/api/http-request.ts';
import { readInputs } from '../../../src/api/inputs.ts';
import { problemResponse, RequestProblem } from '../../../src/api/problem-details.ts';
import { mutateBytes, mutateText } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';

interface Form {
  readonly contentType: string;
  readonly body: Buffer;
}

const form = (boundary: string, ...parts: readonly (readonly [head: string, body: string])[]): Form => ({
  contentType: `multipart/form-data; boundary=${boundary}`,
  body: Buffer.from(
    `${parts.map(([head, body]) => `--${boundary}\r\n${head}\r\n\r\n${body}\r\n`).join('')}--${boundary}--\r\n`,
    'latin1',
  ),
});
const FILE =
  'Content-Disposition: form-data; name="image"; filename="a \\"b\\".png"\r\nContent-Type: image/png';
const WORDS = [
  '--',
  '--x',
  '--x--',
  '\r\n',
  '\r\n\r\n',
  '\n',
  'filename=',
  'name="',
  ';',
  'boundary=',
  '"',
  '\\',
  ' '.repeat(5_000),
  '; name="'.repeat(900),
  'a'.repeat(8_300),
];

/** Requests of `POST /predict/{pipeline}`, up to the inputs that they hold. */
export function open(): FuzzTarget<Form> {
  return {
    name: 'multipart',
    seeds: [
      form('x', [FILE, '\x89PNG']),
      form('x', ['Content-Disposition: form-data; name=text', '1,2,3'], [FILE, 'x'], ['', 'y']),
      form('----WebKitFormBoundaryabc', [FILE, 'x'.repeat(3_000)]),
      { contentType: 'application/json; charset="utf-8"', body: Buffer.from('{"instances": [1]}') },
    ],
    mutate: ({ contentType, body }, chance) => ({
      contentType: chance.happens(0.3) ? mutateText(contentType, chance, WORDS) : contentType,
      body: mutateBytes(body, chance, WORDS),
    }),
    judge({ contentType, body }) {
      try {
        const inputs = readInputs(
          HttpRequest.parse({
            version: '2.0',
            routeKey: 'POST /predict/{pipeline}',
            rawPath: '/predict/p',
            rawQueryString: '',
            headers: { 'content-type': contentType },
            pathParameters: { pipeline: 'p' },
            queryStringParameters: {},
            body: body.toString('base64'),
            isBase64Encoded: true,
          }),
        );
        const size = inputs.reduce((sum, { bytes }) => sum + bytes.length, 0);
        return size > body.length ? `${size} bytes of inputs in ${body.length}` : undefined;
      } catch (error) {
        if (!(error instanceof RequestProblem)) return error instanceof Error ? error.stack : String(error);
        const { statusCode, body: text } = problemResponse(error);
        return statusCode >= 500 || text.length > 20_000 ? `${statusCode}: ${text.slice(0, 300)}` : undefined;
      }
    },
  };
}
