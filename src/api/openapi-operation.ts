import {
  GatewayMessage,
  PipelineList,
  PredictAnswer,
  Problem,
  RunDetails,
  RunList,
  RunStarted,
  TrainingAsked,
  TrainingDetails,
  TrainingList,
  TrainingRequest,
} from './api-schemas.ts';
import { MAX_ANSWER_MS, MAX_BODY_BYTES } from './limits.ts';

/** A part of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/** The document's schemas by name. */
export const SCHEMAS = {
  PredictAnswer,
  PipelineList,
  RunList,
  RunDetails,
  RunStarted,
  TrainingRequest,
  TrainingAsked,
  TrainingList,
  TrainingDetails,
  Problem,
  GatewayMessage,
} as const;

/** A route that answers with one of the schemas, or with a problem of one of the statuses. */
export function operation(
  operationId: string,
  summary: string,
  answer: keyof typeof SCHEMAS,
  statuses: readonly number[],
  success: 200 | 202 = 200,
): Json {
  return {
    operationId,
    summary,
    responses: {
      [success]: {
        description: 'The answer',
        content: { 'application/json': { schema: reference(answer) } },
      },
      ...gatewayResponses(),
      ...problems([...statuses, 500]),
    },
  };
}

/** Responses of API Gateway that are sent without calling a function. */
const GATEWAY: Readonly<Record<number, string>> = {
  401: 'No token, or one that is not accepted',
  403: 'No signature, a wrong one, or no permission',
  404: 'The path does not exist',
  429: 'Too many requests',
};

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  403: 'No signature, a wrong one, or no permission; or a token that does not open the pipeline',
  404: 'The resource does not exist; the detail says what to do',
  409: 'The run has not ended, has no predictions, or has left nothing to predict',
  410: 'The predictions have expired; the detail says when the run ended',
  413: `The body has more than ${MAX_BODY_BYTES} bytes, or its answer would have`,
  415: 'The content type is not supported',
  424: 'The container refused the input or failed, or its answer is not a classification',
  500: 'An unexpected error',
  503: 'The endpoint cannot answer yet',
  504: `The model did not answer within ${MAX_ANSWER_MS / 1000} seconds`,
};

/** The document's responses by name, which the operations refer to. */
export function sharedResponses(): Json {
  return Object.fromEntries([
    ...Object.entries(GATEWAY).map(([status, description]) => [
      `Gateway${status}`,
      { description, content: { 'application/json': { schema: reference('GatewayMessage') } } },
    ]),
    ...Object.entries(DESCRIPTIONS).map(([status, description]) => [
      `Problem${status}`,
      {
        description,
        content: {
          'application/problem+json': { schema: reference('Problem') },
          ...(['403', '404', '413'].includes(status) && {
            'application/json': { schema: reference('GatewayMessage') },
          }),
        },
        ...(status === '503' && {
          headers: {
            'Retry-After': { description: 'Seconds after which to ask again', schema: { type: 'integer' } },
          },
        }),
      },
    ]),
  ]);
}

/** Responses of API Gateway, by status. */
export function gatewayResponses(): Json {
  return referencesTo('Gateway', Object.keys(GATEWAY).map(Number));
}

/** Responses in the shape of problems, by status. */
export function problems(statuses: readonly number[]): Json {
  return referencesTo('Problem', statuses);
}

function referencesTo(kind: 'Gateway' | 'Problem', statuses: readonly number[]): Json {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${kind}${status}` }]),
  );
}

/** A reference to one of the schemas. */
export function reference(name: keyof typeof SCHEMAS): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** A path parameter. */
export function path(name: string, schema: Json): Json {
  return { name, in: 'path', required: true, schema };
}

/** A query parameter. */
export function query(name: string, description: string, schema: Json, required = false): Json {
  return { name, in: 'query', description, required, schema };
}
