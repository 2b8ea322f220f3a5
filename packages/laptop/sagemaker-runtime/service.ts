import { AwsError } from '../kernel/aws-error.ts';
import { toKnownError } from '../kernel/known-error.ts';
import type { MetricWriter } from '../kernel/ports.ts';
import { sendError } from '../kernel/send-error.ts';
import type { Service, Site } from '../kernel/service.ts';
import { serviceModel } from '../service-model/model.ts';
import { restRoute } from '../service-model/rest-route.ts';
import type { InvocationFaults } from './invocation-faults.ts';
import { type ComponentRoutes, invokeEndpoint, type RouteToVariant } from './invoke-endpoint.ts';

/** Header that names the inference component. */
const COMPONENT = 'x-amzn-sagemaker-inference-component';

/** Only the first of these calls is emulated. */
const PATH = /^\/endpoints\/([^/]+)\/(invocations|async-invocations|invocations-response-stream)$/;

/** SageMaker Runtime: `POST /endpoints/{name}/invocations`, a REST JSON service signed as `sagemaker`. */
export function createSageMakerRuntime(options: {
  readonly site: Site;
  readonly route: RouteToVariant;
  readonly components: ComponentRoutes;
  readonly metrics: MetricWriter;
  readonly faults?: InvocationFaults;
}): { readonly service: Service } {
  const model = serviceModel('sagemaker-runtime', ['InvokeEndpoint']);
  const route = restRoute(model);
  return {
    service: {
      name: 'sagemaker-runtime',
      match: ({ path, method, signingService = 'sagemaker' }) =>
        method === 'POST' && signingService === 'sagemaker' && PATH.test(path),
      permissions: ({ path, headers }) => {
        const { partition, region, account } = options.site;
        const name = decodeURIComponent(PATH.exec(path)?.[1] ?? '');
        const component = headers[COMPONENT];
        const asked = [
          `endpoint/${name}`,
          ...(component === undefined ? [] : [`inference-component/${component}`]),
        ];
        return asked.map((resource) => ({
          action: 'sagemaker:InvokeEndpoint',
          resource: `arn:${partition}:sagemaker:${region}:${account}:${resource.toLowerCase()}`,
        }));
      },
      callOf({ method, path }) {
        const found = route(method, path);
        return found && { model, ...found, validationCode: 'ValidationError' };
      },
      async answer(request, response) {
        try {
          if (request.accessKeyId === undefined)
            throw new AwsError('MissingAuthenticationTokenException', 'Missing Authentication Token', {
              statusCode: 403,
            });
          const [, name = '', call] = PATH.exec(request.path) ?? [];
          if (call !== 'invocations')
            throw new AwsError(
              'UnknownOperationException',
              `The local stack does not emulate ${request.path}: of SageMaker Runtime it offers InvokeEndpoint`,
              { statusCode: 404 },
            );
          const endpointName = decodeURIComponent(name);
          await options.faults?.invocation?.(endpointName);
          const { headers, body } = await invokeEndpoint(options, endpointName, request);
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
