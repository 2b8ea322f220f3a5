import type { HandlerRequest } from '../../handlers/python-service.ts';
import type { RestApi } from '../serving/rest-api.ts';
import { convertRequest } from './convert-request.ts';
import { parseCustomAttributes, toServingPath } from './custom-attributes.ts';
import type { ImageGeneration } from './image-generation.ts';

/** A model that the container invokes without a script of the archive. */
export interface InvokedModel {
  readonly restApi: RestApi;
  readonly defaultModelName: string;
  readonly generation: ImageGeneration;
}

const JSON_TYPE = 'application/json';

/** Answers an invocation by the model's signature, as nginx and its script do in the image. */
export async function invokeModel(
  { body, contentType, accept, customAttributes }: HandlerRequest,
  { restApi, defaultModelName, generation }: InvokedModel,
): Promise<{ readonly status: number; readonly body: string; readonly contentType: string }> {
  const converted = convertRequest(contentType, Buffer.from(body).toString('utf8'), generation);
  if ('unsupported' in converted) return { status: 415, body: converted.unsupported, contentType: JSON_TYPE };
  const path = toServingPath(parseCustomAttributes(customAttributes), defaultModelName);
  const reply = await restApi.answer('POST', path, converted.body);
  const text = reply.status === 400 ? reply.body.replace("\\'instances\\'", "'instances'") : reply.body;
  const accepted = accept?.trim().replace(' ', '').split(',') ?? [];
  if (!accepted.includes('application/jsonlines') && !accepted.includes(JSON_TYPE))
    return { status: reply.status, body: text, contentType: JSON_TYPE };
  const answered = generation === 'current' ? JSON_TYPE : (accepted[0] ?? JSON_TYPE);
  return { status: reply.status, body: text.replaceAll('\n', ''), contentType: answered };
}
