import * as z from 'zod';
import { GatewayMessage, PipelineList, PredictAnswer, Problem, RunDetails, RunList } from './api-schemas.ts';
import { LARGEST_BODY_BYTES, LONGEST_ANSWER_MS, MOST_INPUTS } from './limits.ts';

type Json = Readonly<Record<string, unknown>>;

const SCHEMAS = { PredictAnswer, PipelineList, RunList, RunDetails, Problem, GatewayMessage } as const;

/** The OpenAPI 3.1 document of the prediction API, from the schemas that its answers are written by. */
export function openApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'inferdrop',
      version: '1',
      description:
        'Predictions of the models that passed their gate, and the runs behind them. ' +
        `A body has at most ${LARGEST_BODY_BYTES} bytes; an answer comes within ${LONGEST_ANSWER_MS / 1000} seconds.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ iam: [] }, { jwt: [] }],
    paths: {
      '/predict/{pipeline}': { post: predictOperation() },
      '/pipelines': {
        get: operation('listPipelines', 'Pipelines, and what serves them', 'PipelineList', []),
      },
      '/runs': {
        get: {
          ...operation('listRuns', 'Runs of a pipeline that have ended, newest first', 'RunList', [400]),
          parameters: [
            query('pipeline', 'Name of the pipeline.', { ...PIPELINE_NAME }, true),
            query('limit', 'How many runs at most.', {
              type: 'integer',
              minimum: 1,
              maximum: 100,
              default: 20,
            }),
          ],
        },
      },
      '/runs/{pipeline}/{drop}/{generation}': {
        get: {
          ...operation('describeRun', 'One run, with short-lived links to its report', 'RunDetails', [404]),
          parameters: [
            path('pipeline', PIPELINE_NAME),
            path('drop', { type: 'string', minLength: 1 }),
            path('generation', { type: 'string', pattern: '^[0-9]{6}(r[0-9]{1,4})?$' }),
          ],
        },
      },
      '/openapi.json': {
        get: {
          operationId: 'describeApi',
          summary: 'This document',
          responses: {
            200: {
              description: 'The document',
              content: { 'application/json': { schema: { type: 'object' } } },
            },
            ...gatewayResponses(),
            ...problems([500]),
          },
        },
      },
    },
    components: {
      securitySchemes: {
        iam: {
          type: 'apiKey',
          name: 'Authorization',
          in: 'header',
          description: "AWS's signature, version 4, for the service execute-api: `curl --aws-sigv4`.",
        },
        jwt: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'Where the stack has the parameters ApiJwtIssuer and ApiJwtAudience.',
        },
      },
      schemas: Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, toSchema(schema)])),
    },
  };
}

const PIPELINE_NAME = { type: 'string', pattern: '^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$' } as const;
const BINARY = { type: 'string', contentMediaType: 'application/octet-stream', minLength: 1 } as const;

function predictOperation(): Json {
  const base = operation(
    'predict',
    'Predict one input or several',
    'PredictAnswer',
    [400, 404, 413, 415, 424, 503, 504],
  );
  return {
    ...base,
    description:
      'The inputs reach the handler of the model archive as batch transform sends them. ' +
      "With raw=1 the answer is the container's own.",
    parameters: [
      path('pipeline', PIPELINE_NAME),
      query('raw', "1: the container's own answer.", { type: 'string', enum: ['0', '1', 'true', 'false'] }),
    ],
    requestBody: {
      required: true,
      content: {
        'application/x-image': { schema: BINARY },
        'image/png': { schema: BINARY },
        'image/jpeg': { schema: BINARY },
        'application/json': { schema: {} },
        'application/jsonlines': { schema: { type: 'string', minLength: 1 } },
        'text/csv': { schema: { type: 'string', minLength: 1 } },
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['image'],
            properties: { image: { type: 'array', items: BINARY, minItems: 1, maxItems: MOST_INPUTS } },
          },
        },
      },
    },
    responses: {
      ...record(base.responses),
      200: {
        description: "The classes of each input; with raw=1 the container's own answer, of any type",
        content: {
          'application/json': { schema: { anyOf: [reference('PredictAnswer'), {}] } },
          '*/*': { schema: {} },
        },
      },
    },
  };
}

function operation(
  operationId: string,
  summary: string,
  answer: keyof typeof SCHEMAS,
  statuses: readonly number[],
): Json {
  return {
    operationId,
    summary,
    responses: {
      200: { description: summary, content: { 'application/json': { schema: reference(answer) } } },
      ...gatewayResponses(),
      ...problems([...statuses, 500]),
    },
  };
}

/** What API Gateway answers before a function is asked. */
function gatewayResponses(): Json {
  const message = (description: string): Json => ({
    description,
    content: { 'application/json': { schema: reference('GatewayMessage') } },
  });
  return {
    401: message('No token, or one that is not taken'),
    403: message('No signature, a wrong one, or no permission'),
    404: message('There is no such path'),
    429: message('Too many requests'),
  };
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  404: 'There is no such thing; the detail says what to do',
  413: `The body has more than ${LARGEST_BODY_BYTES} bytes`,
  415: 'The content type is not taken',
  424: 'The container refused the input or failed, or its answer is no classification',
  500: 'An unexpected error',
  503: 'The endpoint cannot answer yet',
  504: `The model has not answered within ${LONGEST_ANSWER_MS / 1000} seconds`,
};

function problems(statuses: readonly number[]): Json {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: DESCRIPTIONS[status] ?? '',
        content: {
          'application/problem+json': { schema: reference('Problem') },
          ...((status === 404 || status === 413) && {
            'application/json': { schema: reference('GatewayMessage') },
          }),
        },
        ...(status === 503 && {
          headers: {
            'Retry-After': { description: 'Seconds after which to ask again', schema: { type: 'integer' } },
          },
        }),
      },
    ]),
  );
}

function reference(name: keyof typeof SCHEMAS): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function path(name: string, schema: Json): Json {
  return { name, in: 'path', required: true, schema };
}

function query(name: string, description: string, schema: Json, required = false): Json {
  return { name, in: 'query', description, required, schema };
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'output',
    override: ({ jsonSchema }) => {
      // Bounds of JavaScript's whole numbers say nothing about the field.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return rest;
}
