import type { ServiceRequest, Site } from '../../kernel/service.ts';
import { toFunctionConfiguration } from '../function-configuration.ts';
import { parseFunctionReference } from '../function-reference.ts';
import type { FunctionStore } from '../function-store.ts';
import type { RestAction } from '../rest-action.ts';

/** `GetFunction`; the code has no download link here. */
export function getFunction(store: FunctionStore, site: Site): RestAction {
  return {
    operation: 'GetFunction',
    answer: (labels, request) => ({
      statusCode: 200,
      body: {
        Configuration: configurationOf(store, site, labels, request),
        Code: { RepositoryType: 'S3' },
        Tags: {},
      },
    }),
  };
}

/** `GetFunctionConfiguration`. */
export function getFunctionConfiguration(store: FunctionStore, site: Site): RestAction {
  return {
    operation: 'GetFunctionConfiguration',
    answer: (labels, request) => ({ statusCode: 200, body: configurationOf(store, site, labels, request) }),
  };
}

function configurationOf(
  store: FunctionStore,
  site: Site,
  { FunctionName: name = '' }: Readonly<Record<string, string>>,
  { query }: ServiceRequest,
): Readonly<Record<string, unknown>> {
  const qualifier = query.get('Qualifier');
  const target = qualifier === null ? name : `${name}:${qualifier}`;
  const record = store.record(target);
  const { qualifier: version } = parseFunctionReference(target);
  return toFunctionConfiguration(site, record.name, version, store.config(target), record.modifiedMs);
}
