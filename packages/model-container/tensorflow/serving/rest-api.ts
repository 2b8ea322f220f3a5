import { InvalidFeeds, type ServableModel } from '@inferdrop/savedmodel/servable-model';
import { answerExamples } from './answer-examples.ts';
import { toMetadata } from './metadata.ts';
import { parsePredictRequest } from './predict-request.ts';
import { toPredictResponse } from './predict-response.ts';
import { invalidArgument, ServingError, toErrorBody } from './serving-error.ts';

/** Loaded models by name and version. */
export type ServedModels = ReadonlyMap<string, ReadonlyMap<number, ServableModel>>;

/** An answer of TensorFlow Serving: an HTTP status and its body. */
export interface RestAnswer {
  readonly status: number;
  /** JSON text; TensorFlow Serving answers nothing else. */
  readonly body: string;
}

/** TensorFlow Serving's REST API on models in memory. */
export interface RestApi {
  answer(method: string, path: string, body: string): Promise<RestAnswer>;
}

const PREDICTION =
  /^\/v1\/models\/([^/:]+)(?:\/versions\/(\d+)|\/labels\/([^/:]+))?:(classify|regress|predict)$/i;
const STATUS = /^\/v1\/models(?:\/([^/:]+))?(?:\/versions\/(\d+)|\/labels\/([^/:]+))?(?:\/(metadata))?$/i;

/** Answers as TensorFlow Serving does, errors included. */
export function createRestApi(models: ServedModels): RestApi {
  return {
    async answer(method, path, body) {
      try {
        return { status: 200, body: await route(models, method, path, body) };
      } catch (error) {
        const failure = toServingError(error);
        return { status: failure.httpStatus, body: toErrorBody(failure.message) };
      }
    },
  };
}

async function route(models: ServedModels, method: string, path: string, body: string): Promise<string> {
  if (method === 'POST') {
    const match = PREDICTION.exec(path);
    if (match) {
      const [, name = '', version, label, verb = ''] = match;
      const find = () => findModel(models, decodeURIComponent(name), version, label).model;
      const method = verb.toLowerCase();
      const takesExamples = method === 'classify' || method === 'regress';
      return takesExamples ? answerExamples(method, find, body) : predict(find(), body);
    }
  } else if (method === 'GET') {
    const match = STATUS.exec(path);
    if (match) return describe(models, match);
  }
  throw invalidArgument(`Malformed request: ${method} ${path}`);
}

async function predict(model: ServableModel, body: string): Promise<string> {
  const { signature, form, feeds } = parsePredictRequest(body, model.signatures);
  return toPredictResponse(await model.run(signature.name, feeds), form);
}

function describe(models: ServedModels, match: RegExpExecArray): string {
  const [, encoded, wanted, label, metadata] = match;
  if (encoded === undefined) throw invalidArgument('Missing model name in request.');
  const name = decodeURIComponent(encoded);
  const { version, model } = findModel(models, name, wanted, label);
  if (metadata !== undefined) return toMetadata(name, version, model.signatures);
  const versions =
    wanted === undefined ? [...(models.get(name)?.keys() ?? [])].sort((a, b) => b - a) : [version];
  const status = versions.map((number) => ({
    version: String(number),
    state: 'AVAILABLE',
    status: { error_code: 'OK', error_message: '' },
  }));
  return `${JSON.stringify({ model_version_status: status }, null, 1)}\n`;
}

function findModel(
  models: ServedModels,
  name: string,
  wanted: string | undefined,
  label: string | undefined,
): { readonly version: number; readonly model: ServableModel } {
  const versions = models.get(name);
  if (label !== undefined) throw invalidArgument(`Unrecognized servable version label: ${label}`);
  const version = wanted === undefined ? Math.max(...(versions?.keys() ?? [])) : Number(wanted);
  const model = versions?.get(version);
  if (!model) {
    const which = wanted === undefined ? `Latest(${name})` : `Specific(${name}, ${wanted})`;
    throw new ServingError('NOT_FOUND', `Servable not found for request: ${which}`);
  }
  return { version, model };
}

function toServingError(error: unknown): ServingError {
  if (error instanceof ServingError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof InvalidFeeds || (error instanceof Error && error.name === 'InvalidFeeds'))
    return invalidArgument(message);
  if (error instanceof URIError) return invalidArgument(`Failed to decode model name: ${message}`);
  return new ServingError('INTERNAL', message);
}
