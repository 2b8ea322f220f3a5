import * as z from 'zod';

/** The endpoint that serves the model after a run, and what to do about Elastic Inference, which AWS retired in April 2024. */
export const EndpointSettings = z.strictObject({
  deploy: z.enum(['never', 'when-gate-passes']).describe('When an endpoint is deployed.').default('never'),
  instanceType: z
    .string()
    .regex(/^ml\.[a-z0-9-]+\.[a-z0-9-]+$/, 'must be an instance type such as ml.m5.xlarge')
    .describe('Instance type of the endpoint.')
    .default('ml.m5.xlarge'),
  initialInstanceCount: z.int().min(1).max(100).describe('Instances of the endpoint.').default(1),
  acceleratorType: z
    .string()
    .regex(/^ml\.eia[12]\.(medium|large|xlarge)$/, 'must be an accelerator such as ml.eia1.medium')
    .nullable()
    .describe('Elastic Inference accelerator. AWS retired them: see onRetiredAccelerator.')
    .default(null),
  onRetiredAccelerator: z
    .enum(['fail', 'replace', 'cpu', 'send'])
    .describe(
      'fail: refuse the run. replace: use the nearest GPU instance. cpu: drop the accelerator. send: pass it on to AWS.',
    )
    .default('fail'),
  ttlHours: z
    .number()
    .positive()
    .max(8760)
    .nullable()
    .describe('The endpoint is deleted after so long. Null: never.')
    .default(8),
});
export type EndpointSettings = z.infer<typeof EndpointSettings>;
