import { predict } from '../src/app/api/predict.ts';
import { servedFacts } from '../src/app/api/served-facts.ts';
import { smallObjects } from '../src/aws/s3/small-object.ts';
import { readEnv } from './runtime/env.ts';
import { modelsInFunctions } from './runtime/function-models.ts';
import { http } from './runtime/http.ts';
import { putMetrics } from './runtime/metrics.ts';
import { models } from './runtime/models.ts';

/** Route `POST /predict/{pipeline}`. */
export const handler = http(predict, () => {
  const env = readEnv('BUCKET_NAME', 'BUCKET_DOMAIN', 'AWS_REGION', 'PIPELINES_CLAIM');
  const objects = smallObjects({
    bucket: env.BUCKET_NAME,
    domain: env.BUCKET_DOMAIN,
    region: env.AWS_REGION,
    environment: process.env,
  });
  return {
    pipelinesClaim: env.PIPELINES_CLAIM,
    served: servedFacts(objects, () => performance.now()),
    runtime: models(),
    functions: modelsInFunctions(),
    deadline: (ms: number) => AbortSignal.timeout(ms),
    nowMs: () => performance.now(),
    measure: putMetrics,
  };
});
