import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import { deployEndpoint } from '../../src/app/endpoint/deploy-endpoint.ts';
import { DEPLOYERS } from '../../src/app/endpoint/deployers.ts';
import { finishEndpoint } from '../../src/app/endpoint/finish-endpoint.ts';
import { withFunctionEndpoints } from '../../src/app/endpoint/function/function-endpoints.ts';
import { HOSTINGS } from '../../src/app/endpoint/hostings.ts';
import { rollBackEndpoint } from '../../src/app/endpoint/roll-back-endpoint.ts';
import { sweepEndpoints } from '../../src/app/endpoint/sweep-endpoints.ts';
import { planRun } from '../../src/app/plan/plan-run.ts';
import { servedJson } from '../../src/app/records/endpoint.ts';
import type { ScalingSpec } from '../../src/aws/sagemaker/scaling.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { frozenDrop, NOW, PARTS, PIPELINE, SETTINGS } from './drop-fixture.ts';
import { memoryAlarms } from './memory-alarms.ts';
import { memoryEndpoints } from './memory-endpoints.ts';
import { memorySageMaker } from './memory-sagemaker.ts';
import { memoryTopic } from './memory-topic.ts';
import { reportFigures } from './report-figures.ts';

const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:inferdrop-dev-endpoint';

export type EndpointWorld = Awaited<ReturnType<typeof endpointWorld>>;

/** A planned run whose gate has passed, and everything that changes endpoints. */
export async function endpointWorld(endpoint: Readonly<Record<string, unknown>> = {}) {
  const inFunctions = endpoint.type === 'lambda';
  const store = await frozenDrop({
    ...(inFunctions && {
      archive: await modelArchive({ '1/saved_model.pb': 'graph' }),
      files: { 'a.json': 3, 'b.json': 4 },
    }),
    pipeline: {
      ...PIPELINE,
      // Serverless endpoints have no isolation.
      model: { ...PIPELINE.model, networkIsolation: false },
      gate: { minAccuracy: 0.5 },
      endpoint: { deploy: 'when-gate-passes', ...endpoint },
      ...(inFunctions && { transform: { contentType: 'application/json' } }),
    },
  });
  await planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
  const sagemaker = memorySageMaker();
  const instances = memoryEndpoints(sagemaker.models);
  const endpoints = inFunctions
    ? { ...instances, ...withFunctionEndpoints(store, instances, () => NOW) }
    : instances;
  const running = new Set<string>();
  const started: { name: string; input: any }[] = [];
  const scaled: [string, ScalingSpec | 'deregistered'][] = [];
  const services = {
    store,
    sagemaker,
    endpoints,
    running,
    started,
    scaled,
    topic: memoryTopic(),
    now: NOW.getTime(),
    scope: { prefix: 'inferdrop-dev' },
    deployers: DEPLOYERS,
    hostings: HOSTINGS,
    clock: (): Date => new Date(services.now),
    scaling: {
      register: async (_: string, variant: string, spec: ScalingSpec) => void scaled.push([variant, spec]),
      deregister: async (_: string, variant: string) => void scaled.push([variant, 'deregistered']),
    },
    components: endpoints.components,
    alarms: memoryAlarms(),
    componentScaling: {
      register: async (name: string, copies: number) => void scaled.push([name, copies as any]),
      deregister: async (name: string) => void scaled.push([name, 'deregistered']),
    },
    pause: async () => undefined,
    executions: {
      describe: async (arn: string) => (running.has(arn) ? ({ status: 'RUNNING' } as any) : undefined),
      start: async (name: string, input: string) => {
        const arn = `${MACHINE}:${name}`;
        if (started.some((one) => one.name === name)) return { outcome: 'exists' as const, arn };
        started.push({ name, input: JSON.parse(input) });
        return { outcome: 'started' as const, arn };
      },
    },
    lastInvokedAt: undefined as Date | undefined,
    metrics: { lastInvokedAt: async (): Promise<Date | undefined> => services.lastInvokedAt },
    warnings: [] as unknown[],
    warn: (message: string, facts: unknown) => void services.warnings.push([message, facts]),
  };
  const world = {
    ...services,
    services,
    judge: (verdict: string) =>
      store.put(
        bucketLayout.reportJson(PARTS),
        reportFigures({ gate: { verdict, explanation: `The gate ${verdict}.`, isSet: true } }),
      ),
    deploy: (executionArn = 'first', proof: 'needed' | 'given' = 'given') => {
      running.add(executionArn);
      return deployEndpoint({ run: PARTS, executionArn, proof }, services) as Promise<any>;
    },
    /** SageMaker has done what it was asked. */
    inService: (configName?: string) => {
      for (const endpoint of endpoints.all.values()) {
        endpoint.status = 'InService';
        delete endpoint.pending;
        if (configName !== undefined) endpoint.configName = configName;
      }
    },
    finish: (
      outcome: 'deployed' | 'unchanged' | 'rolled-back' | 'deleted',
      executionArn = 'first',
      renews = true,
    ) => finishEndpoint({ pipeline: PARTS.pipeline, executionArn, outcome, run: PARTS, renews }, services),
    rollBack: (executionArn: string) =>
      rollBackEndpoint({ pipeline: PARTS.pipeline, executionArn }, services),
    /** A first deployment, all through. */
    deployed: async () => {
      const answer = await world.deploy();
      world.inService();
      await world.finish('deployed');
      running.delete('first');
      return answer;
    },
    served: () => servedJson(PARTS.pipeline).read(store),
    sweep: () => sweepEndpoints({ check: 'endpoints' }, services as any),
    pass: (ms: number) => void (services.now += ms),
    editPlan: (change: (plan: any) => void) => {
      const plan = JSON.parse(store.text(bucketLayout.plan(PARTS))!);
      change(plan);
      store.put(bucketLayout.plan(PARTS), JSON.stringify(plan));
    },
    /** The same run as if it had been planned with another model. */
    changeModel: (release = 'next') =>
      world.editPlan((plan) => void (plan.model.environment = { RELEASE: release })),
  };
  world.judge('passed');
  return world;
}
