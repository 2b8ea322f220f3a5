import type { HandlerRequest, PythonService } from '../../handlers/python-service.ts';
import type { RestApi } from '../serving/rest-api.ts';
import { CONVERTED_TYPES, mediaTypeOf } from './convert-request.ts';
import { toFalconError } from './falcon-error.ts';
import type { ImageGeneration } from './image-generation.ts';

/**
 * The Python service with packages but no script: the raw body goes to TensorFlow Serving. The older images answer
 * 200 even to its errors.
 */
export function createDefaultHandler(options: {
  readonly restApi: RestApi;
  readonly servingPath: (request: HandlerRequest) => string;
  readonly generation: ImageGeneration;
}): PythonService {
  return {
    async invoke(request) {
      const type = mediaTypeOf(request.contentType ?? '', 'current');
      if (options.generation === 'current' && type !== '' && !CONVERTED_TYPES.includes(type)) {
        return {
          status: 415,
          body: JSON.stringify({ error: `Unsupported Media Type: ${type}` }),
          contentType: undefined,
        };
      }
      const served = await options.restApi.answer(
        'POST',
        options.servingPath(request),
        Buffer.from(request.body).toString('utf8'),
      );
      if (options.generation === 'current' && served.status !== 200) return toFalconError(served);
      return { status: 200, body: served.body, contentType: request.accept ?? 'application/json' };
    },
    renew: async () => undefined,
    close: async () => undefined,
  };
}
