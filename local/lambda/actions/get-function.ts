import type { Site } from '../../gateway/service.ts';
import { toFunctionConfiguration } from '../function-configuration.ts';
import { parseFunctionReference } from '../function-reference.ts';
import type { FunctionStore } from '../function-store.ts';
import type { RestAction } from '../rest-action.ts';

/** `GetFunction` and `GetFunctionConfiguration`; the code has no download link here. */
export function getFunction(store: FunctionStore, site: Site): RestAction {
  return {
    method: 'GET',
    path: /^\/2015-03-31\/functions\/(?<name>[^/]+)(?<part>\/configuration)?$/,
    answer: ({ name = '', part }, { query }) => {
      const qualifier = query.get('Qualifier');
      const target = qualifier === null ? name : `${name}:${qualifier}`;
      const record = store.record(target);
      const { qualifier: version } = parseFunctionReference(target);
      const configuration = toFunctionConfiguration(
        site,
        record.name,
        version,
        store.config(target),
        record.modifiedMs,
      );
      if (part === '/configuration') return { statusCode: 200, body: configuration };
      return {
        statusCode: 200,
        body: { Configuration: configuration, Code: { RepositoryType: 'S3' }, Tags: {} },
      };
    },
  };
}
