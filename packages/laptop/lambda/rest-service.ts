import { AwsError } from '../kernel/aws-error.ts';
import { toKnownError } from '../kernel/known-error.ts';
import { type RestAnswer, sendRest } from '../kernel/rest-answer.ts';
import type { Service, ServiceRequest, Site } from '../kernel/service.ts';
import { serviceModel } from '../service-model/model.ts';
import { type RestRoute, restRoute } from '../service-model/rest-route.ts';
import { functionArn, parseFunctionReference } from './function-reference.ts';

/** One REST call; AWS's model has its method and path. */
export interface RestAction {
  readonly operation: string;
  /** @param labels the parts of the path by their names in the model, as in `FunctionName` */
  answer(labels: Readonly<Record<string, string>>, request: ServiceRequest): Promise<RestAnswer> | RestAnswer;
}

/** Every path of Lambda's API begins with the date of one of its versions. */
const API_PATH =
  /^\/20\d\d-\d\d-\d\d\/(functions|event-source-mappings|account-settings|layers|tags|event-invoke-config)\b/;

/** Permission that each call of a role needs: for the function that it names, or for all. */
const ASKED_OF_ROLE = new Map([
  ['GetAccountSettings', 'lambda:GetAccountSettings'],
  ['GetFunction', 'lambda:GetFunction'],
  ['Invoke', 'lambda:InvokeFunction'],
]);

/** Lambda's REST JSON protocol over a list of actions. */
export function lambdaService(
  site: Site,
  actions: readonly RestAction[],
  close: () => Promise<void>,
): Service {
  const model = serviceModel(
    'lambda',
    actions.map(({ operation }) => operation),
  );
  const route = restRoute(model);
  return {
    name: 'lambda',
    match: ({ path, signingService }) => API_PATH.test(path) && (signingService ?? 'lambda') === 'lambda',
    permissions({ method, path }) {
      const found = route(method, path);
      const { FunctionName } = found?.labels ?? {};
      const action = ASKED_OF_ROLE.get(found?.operation ?? '');
      const resource =
        FunctionName === undefined ? '*' : functionArn(site, parseFunctionReference(FunctionName).name);
      if (action !== undefined) return [{ action, resource }];
      throw new AwsError(
        'AccessDeniedException',
        `The local stack does not know what lambda ${found?.operation ?? path} asks of a role: name it in ` +
          'packages/laptop/lambda/rest-service.ts',
        { statusCode: 403 },
      );
    },
    callOf({ method, path }) {
      const found = route(method, path);
      return found && { model, ...found };
    },
    answer: async (request, response) => {
      try {
        sendRest(response, request, await run(actions, route, request));
      } catch (thrown) {
        const error = toKnownError(thrown, 'InvalidParameterValueException');
        sendRest(response, request, {
          statusCode: error.statusCode,
          headers: { ...error.headers, 'x-amzn-errortype': error.code },
          body: { ...error.details, Message: error.message, message: error.message },
        });
      }
    },
    close,
  };
}

async function run(
  actions: readonly RestAction[],
  route: RestRoute,
  request: ServiceRequest,
): Promise<RestAnswer> {
  if (request.accessKeyId === undefined)
    throw new AwsError('MissingAuthenticationTokenException', 'Missing Authentication Token', {
      statusCode: 403,
    });
  const found = route(request.method, request.path);
  const action = actions.find(({ operation }) => operation === found?.operation);
  if (found && action) return action.answer(found.labels, request);
  throw new AwsError(
    'UnknownOperationException',
    `The local stack does not emulate lambda ${request.method} ${request.path}. It offers ` +
      `${actions.map(({ operation }) => operation).join(', ')}; functions are made by CloudFormation`,
    { statusCode: 404 },
  );
}
