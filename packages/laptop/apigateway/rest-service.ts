import { AwsError } from '../kernel/aws-error.ts';
import { toKnownError } from '../kernel/known-error.ts';
import { sendRest } from '../kernel/rest-answer.ts';
import type { Service, ServiceRequest } from '../kernel/service.ts';
import { serviceModel } from '../service-model/model.ts';
import { type RestRoute, restRoute } from '../service-model/rest-route.ts';
import { getStage } from './actions/get-stage.ts';
import type { ApiStore } from './api-store.ts';

/** API Gateway's own REST JSON API, as far as it reads: APIs are made by CloudFormation only. */
export function controlService(store: ApiStore): Service {
  const model = serviceModel('apigateway', ['GetStage']);
  const route = restRoute(model);
  return {
    name: 'apigateway',
    match: ({ path, signingService }) => path.startsWith('/v2/') && signingService === 'apigateway',
    callOf({ method, path }) {
      const found = route(method, path);
      return found && { model, ...found, validationCode: 'BadRequestException' };
    },
    answer: async (request, response) => {
      try {
        sendRest(response, request, { statusCode: 200, body: answer(store, route, request) });
      } catch (thrown) {
        const error = toKnownError(thrown, 'BadRequestException');
        sendRest(response, request, {
          statusCode: error.statusCode,
          headers: { 'x-amzn-errortype': error.code },
          body: { message: error.message },
        });
      }
    },
    close: async () => undefined,
  };
}

function answer(
  store: ApiStore,
  route: RestRoute,
  { method, path }: ServiceRequest,
): Readonly<Record<string, unknown>> {
  const { apiId, stageName } = route(method, path)?.labels ?? {};
  if (apiId !== undefined && stageName !== undefined) return getStage(store, apiId, stageName);
  throw new AwsError(
    'UnknownOperationException',
    `The local stack does not emulate apigatewayv2 ${method} ${path}. It offers GetStage; APIs are made by CloudFormation`,
    { statusCode: 404 },
  );
}
