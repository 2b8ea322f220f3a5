import type { FunctionModels } from '../../../aws/calls/function-models.ts';
import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { Runtime } from '../../../aws/sagemaker/runtime.ts';
import { functionConfigJson, functionEndpointJson } from '../../records/endpoint.ts';

/** Invokes endpoints by their names, whichever kind they are of. */
export function endpointRuntime(store: ObjectStore, sagemaker: Runtime, functions: FunctionModels): Runtime {
  return {
    async invoke(endpointName, invocation) {
      const found = await functionEndpointJson(endpointName).read(store);
      if (found === undefined) return sagemaker.invoke(endpointName, invocation);
      const { model, tags, variantName } = await functionConfigJson(found.configName).require(store);
      const body = await functions.answer(tags['inferdrop:pipeline'] ?? '', model, invocation);
      return { body, contentType: invocation.accept, variant: variantName };
    },
  };
}
