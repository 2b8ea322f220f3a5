import * as z from 'zod';
import { MAX_ANSWER_MS, MAX_BODY_BYTES, MAX_INPUTS } from './limits.ts';
import { INPUT_TYPES, isImageType, UNTYPED } from './media-type.ts';
import {
  gatewayResponses,
  type Json,
  operation,
  path,
  problems,
  query,
  reference,
  SCHEMAS,
  sharedResponses,
} from './openapi-operation.ts';

/** The OpenAPI 3.1 document of the prediction API, from the schemas of its answers. */
export function openApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'inferdrop',
      version: '1',
      description:
        'Predictions of the models that passed their gate, and the runs behind them. ' +
        `A body has at most ${MAX_BODY_BYTES} bytes; an answer comes within ${MAX_ANSWER_MS / 1000} seconds.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ iam: [] }, { jwt: [] }],
    paths: {
      '/predict/{pipeline}': { post: predictOperation() },
      '/pipelines': {
        get: operation(
          'listPipelines',
          'Pipelines that the caller may use, and their endpoints',
          'PipelineList',
          [],
        ),
      },
      '/runs': {
        get: {
          ...operation('listRuns', 'Runs of a pipeline that have ended, newest first', 'RunList', [400, 403]),
          parameters: [query('pipeline', 'Name of the pipeline.', { ...PIPELINE_NAME }, true), limit('runs')],
        },
      },
      '/runs/{pipeline}/{drop}/{generation}': {
        get: {
          ...operation(
            'describeRun',
            'One run, with short-lived links to its report',
            'RunDetails',
            [403, 404],
          ),
          parameters: RUN,
        },
      },
      '/runs/{pipeline}/{drop}/{generation}/rescores': {
        post: repetition(
          'rescore',
          'Score the predictions of a run again, without a job',
          "With today's labels, classes, gate and report. 200 where a rescore by the same labels and settings is " +
            'there, under way or with its report.',
        ),
      },
      '/runs/{pipeline}/{drop}/{generation}/continuations': {
        post: repetition(
          'continueRun',
          'Predict the inputs that a run of a sample has not drawn',
          'By the same model; the report is of all inputs. 200 where the run has been continued already. It costs the jobs of the rest.',
        ),
      },
      '/pipelines/{pipeline}/trainings': {
        post: {
          ...operation('train', 'Train a model of the pipeline', 'TrainingAsked', [400, 404, 413], 202),
          description:
            'Needs the signature of AWS, also if the stack accepts tokens: a training costs money. The training begins within minutes.',
          security: [{ iam: [] }],
          parameters: [parameter('pipeline')],
          requestBody: {
            required: false,
            content: { 'application/json': { schema: reference('TrainingRequest') } },
          },
        },
        get: {
          ...operation(
            'listTrainings',
            'Trainings of a pipeline that have ended, newest first',
            'TrainingList',
            [400, 403],
          ),
          parameters: [parameter('pipeline'), limit('trainings')],
        },
      },
      '/trainings/{pipeline}/{drop}/{generation}': {
        get: {
          ...operation(
            'describeTraining',
            'One training, with short-lived links to its report',
            'TrainingDetails',
            [403, 404],
          ),
          parameters: RUN,
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
          description:
            'Where the stack has the parameters ApiJwtIssuer and ApiJwtAudience. With ApiPipelinesClaim a token opens the pipelines that ' +
            'its claim of that name lists.',
        },
      },
      parameters: PARAMETERS,
      responses: sharedResponses(),
      schemas: Object.fromEntries(
        Object.entries(SCHEMAS).map(([name, schema]) => [
          name,
          toSchema(schema, name === 'TrainingRequest' ? 'input' : 'output'),
        ]),
      ),
    },
  };
}

const PIPELINE_NAME = { type: 'string', pattern: '^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$' } as const;

/** Parameters of paths, which several routes have. */
const PARAMETERS = {
  pipeline: path('pipeline', PIPELINE_NAME),
  drop: path('drop', { type: 'string', minLength: 1 }),
  generation: path('generation', { type: 'string', pattern: '^[0-9]{6}([crs][0-9]{1,4})?$' }),
} as const;

function parameter(name: keyof typeof PARAMETERS): Json {
  return { $ref: `#/components/parameters/${name}` };
}

/** Parameters of a path that names a run or a training. */
const RUN = [parameter('pipeline'), parameter('drop'), parameter('generation')];

function limit(what: string): Json {
  const schema = { type: 'integer', minimum: 1, maximum: 100, default: 20 };
  return query('limit', `How many ${what} at most.`, schema);
}

const BINARY = { type: 'string', contentMediaType: 'application/octet-stream', minLength: 1 } as const;

/** A route that starts a run, or answers with an equal one. */
function repetition(operationId: string, summary: string, description: string): Json {
  const base = operation(operationId, summary, 'RunStarted', [400, 404, 409, 410], 202);
  const { 202: started, ...others } = record(base.responses);
  return {
    ...base,
    description: `${description} Needs the signature of AWS, also if the stack accepts tokens: a run that passes its gate may be deployed.`,
    security: [{ iam: [] }],
    parameters: RUN,
    responses: {
      200: { ...record(started), description: 'An equal run is there' },
      202: { ...record(started), description: 'The run has been started' },
      ...others,
    },
  };
}

function predictOperation(): Json {
  const base = operation(
    'predict',
    'Predict one input or several',
    'PredictAnswer',
    [400, 403, 404, 413, 415, 424, 503, 504],
  );
  return {
    ...base,
    description:
      'The inputs reach the handler of the model archive as batch transform sends them: where the pipeline has ' +
      'transform.inputFilter, they are given as it leaves them, without their label. ' +
      'Images go under the content type of the pipeline. So do parts of a multipart body that name no type, or ' +
      `${UNTYPED}; others go under their own. ` +
      "With raw=1 the answer is the container's own.",
    parameters: [
      parameter('pipeline'),
      query('raw', "1: the container's own answer.", { type: 'string', enum: ['0', '1', 'true', 'false'] }),
    ],
    requestBody: {
      required: true,
      content: {
        ...Object.fromEntries(INPUT_TYPES.map((type) => [type, { schema: schemaOf(type) }])),
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['image'],
            properties: { image: { type: 'array', items: BINARY, minItems: 1, maxItems: MAX_INPUTS } },
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

function schemaOf(type: string): Json {
  if (isImageType(type)) return BINARY;
  return type === 'application/json' ? {} : { type: 'string', minLength: 1 };
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // Bounds of JavaScript's safe integers say nothing about the field.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      // The format says it already.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  return rest;
}
