import type { Site } from '../../kernel/service.ts';
import { toFunctionConfiguration } from '../function-configuration.ts';
import type { FunctionStore } from '../function-store.ts';
import type { RestAction } from '../rest-action.ts';

/** `ListFunctions`, in one page, `$LATEST` only. */
export function listFunctions(store: FunctionStore, site: Site): RestAction {
  return {
    operation: 'ListFunctions',
    answer: () => ({
      statusCode: 200,
      body: {
        Functions: store
          .records()
          .map(({ name, latest, modifiedMs }) =>
            toFunctionConfiguration(site, name, '$LATEST', latest, modifiedMs),
          ),
      },
    }),
  };
}
