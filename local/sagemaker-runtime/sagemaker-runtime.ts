import { AwsError } from '../gateway/aws-error.ts';
import { sendError } from '../gateway/send-error.ts';
import { toKnownError } from '../gateway/known-error.ts';
import type { MetricWriter } from '../gateway/ports.ts';
import type { Service, Site } from '../gateway/service.ts';
import { invokeEndpoint } from './invoke-endpoint.ts';
import type { RouteToVariant } from './invoke-endpoint.ts';

const PATH = /^\/endpoints\/([^/]+)\/(invocations|async-invocations|invocations-response-stream)$/;

/** SageMaker Runtime: `POST /endpoints/{name}/invocations`, a REST JSON service signed as `sagemaker`. */
export function createSageMakerRuntime(options: {
  readonly site: Site;
  readonly route: RouteToVariant;
  readonly metrics: MetricWriter;
}): { readonly service: Service } {
  return {
    service: {
      name: 'sagemaker-runtime',
      match: ({ path, method, signingService = 'sagemaker' }) =>
        method === 'POST' && signingService === 'sagemaker' && PATH.test(path),
      async answer(request, response) {
        try {
          if (request.accessKeyId === undefined) {
            throw new AwsError('MissingAuthenticationTokenException', 'Missing Authentication Token', {
              statusCode: 403,
            });
          }
          const [, name = '', call] = PATH.exec(request.path) ?? [];
          if (call !== 'invocations') {
            throw new AwsError(
              'UnknownOperationException',
              `The local stack does not emulate ${request.path}: of SageMaker Runtime it offers InvokeEndpoint`,
              { statusCode: 404 },
            );
          }
          const { headers, body } = await invokeEndpoint(options, decodeURIComponent(name), request);
          response.writeHead(200, {
            ...headers,
            'content-length': body.length,
            'x-amzn-requestid': request.requestId,
          });
          response.end(body);
        } catch (thrown) {
          const error = toKnownError(thrown, 'ValidationError');
          sendError(response, { ...request, signingService: 'sagemaker' }, error);
        }
      },
      close: async () => undefined,
    },
  };
}
