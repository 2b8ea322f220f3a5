import type { Site } from '../../kernel/service.ts';
import { functionArn, parseFunctionReference } from '../function-reference.ts';
import type { MappingStore } from '../mapping-store.ts';
import type { RestAction } from '../rest-action.ts';

/** `ListEventSourceMappings`, in one page, by function or queue. */
export function listEventSourceMappings(store: MappingStore, site: Site): RestAction {
  return {
    operation: 'ListEventSourceMappings',
    answer: (_, { query }) => {
      const wanted = query.get('FunctionName');
      const source = query.get('EventSourceArn');
      const mappings = store
        .mappings()
        .filter(
          ({ functionTarget, queueArn }) =>
            (wanted === null ||
              parseFunctionReference(wanted).name === parseFunctionReference(functionTarget).name) &&
            (source === null || source === queueArn),
        );
      return {
        statusCode: 200,
        body: {
          EventSourceMappings: mappings.map((mapping) => ({
            UUID: mapping.uuid,
            EventSourceArn: mapping.queueArn,
            FunctionArn: functionArn(site, parseFunctionReference(mapping.functionTarget).name),
            BatchSize: mapping.batchSize,
            MaximumBatchingWindowInSeconds: mapping.windowSeconds,
            FunctionResponseTypes: mapping.reportsItemFailures ? ['ReportBatchItemFailures'] : [],
            State: mapping.enabled ? 'Enabled' : 'Disabled',
            ...(mapping.maximumConcurrency === undefined
              ? {}
              : { ScalingConfig: { MaximumConcurrency: mapping.maximumConcurrency } }),
          })),
        },
      };
    },
  };
}
