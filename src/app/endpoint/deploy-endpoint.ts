import * as z from 'zod';
import type { Executions } from '../../aws/states/executions.ts';
import type { EndpointChange, NewChange } from '../../endpoint/change.ts';
import { toEndpointName } from '../../endpoint/names.ts';
import { BUSY } from '../../endpoint/next-move.ts';
import { givenArchive } from '../../plan/endpoint/served-archive.ts';
import { RunParts, toRunId } from '../../run/run-id.ts';
import { servedJson } from '../records/endpoint.ts';
import { useCase } from '../use-case.ts';
import type { Deployment, DeploymentServices } from './ask-for-endpoint.ts';
import { requireDeployable } from './deployable-run.ts';
import type { Deployers } from './deployer.ts';
import { toContent, toNamed } from './endpoint-content.ts';
import type { EndpointScope } from './endpoint-scope.ts';
import { withLockedChange } from './lock-change.ts';
import { describeOwn } from './own-endpoint.ts';

/** Sent by state `DeployEndpoint` with the run that has the model and endpoint settings, and again when its candidate has passed. */
const Input = z.object({
  run: RunParts,
  executionArn: z.string(),
  /** Replacement of the plan's retired accelerator; null leaves the plan as it is. */
  accelerator: z.enum(['replace', 'cpu']).nullish(),
  /** Whether the model must still be tested on a candidate next to the serving endpoint. */
  proof: z.enum(['needed', 'given']),
});
/** `unchanged`: an endpoint of this content serves already, and is not tested again. */
const Output = z.discriminatedUnion('status', [
  /** Another execution changes the endpoint, or SageMaker does. */
  z.object({ status: z.literal('busy'), waitSeconds: z.number() }),
  z.object({ status: z.literal('unchanged'), endpointName: z.string(), configName: z.string() }),
  z.object({
    status: z.literal('started'),
    /** The endpoint to wait for and to test. */
    endpointName: z.string(),
    configName: z.string(),
    /** Whether it exists for the test only. */
    isCandidate: z.boolean(),
    previousConfigName: z.string().nullable(),
  }),
]);
type Output = z.infer<typeof Output>;

interface DeployEndpointServices extends DeploymentServices {
  /** Executions of the state machine `endpoint`. */
  readonly executions: Pick<Executions, 'describe' | 'start'>;
  readonly scope: EndpointScope;
  readonly deployers: Deployers;
}

/**
 * State `DeployEndpoint`: creates an endpoint in SageMaker that serves the model of a run. If one serves already, the model first
 * runs on a candidate next to it; called again with the proof that it passed its test, deletes the candidate and updates the
 * endpoint. Names derive from the content, so deploying the same content changes nothing.
 *
 * @throws `EndpointNotPlanned`, `GateNotPassed`, `EndpointNameTaken`, `EndpointKindDiffers`, `ExecutionOver`
 */
export const deployEndpoint = useCase({
  input: Input,
  output: Output,
})(async (input, services: DeployEndpointServices) => {
  const deployment = await toDeployment(input, services);
  const { pipeline, endpointName, wanted } = deployment;
  const change: NewChange = {
    schema: 1,
    action: 'deploy',
    executionArn: input.executionArn,
    startedAt: services.clock().toISOString(),
    run: toRunId(input.run),
    endpointName,
    configName: wanted.configName,
    previousConfigName: null,
    requested: false,
    candidateName: null,
  };
  const asked = await withLockedChange(services, pipeline, change, (claimed) =>
    requestDeployment(claimed, input.proof, deployment, services),
  );
  return asked ?? BUSY;
});

async function requestDeployment(
  claimed: EndpointChange,
  proof: z.infer<typeof Input>['proof'],
  asked: Deployment,
  services: DeployEndpointServices,
): Promise<Output> {
  const { store, endpoints, deployers } = services;
  const { pipeline, endpointName } = asked;
  const [found, served] = await Promise.all([
    describeOwn(endpoints, endpointName, store.bucket),
    servedJson(pipeline).read(store),
  ]);
  const { kind } = asked.wanted.content.hardware;
  return deployers[kind](claimed, { found, served, deployment: asked, proof }, services);
}

async function toDeployment(
  { run, accelerator }: z.infer<typeof Input>,
  { store, scope }: DeployEndpointServices,
): Promise<Deployment> {
  const { pipeline } = run;
  const deployable = await requireDeployable(store, run, accelerator ?? null);
  const owner = { prefix: scope.prefix, bucket: store.bucket };
  const { plan, planned } = deployable;
  return {
    pipeline,
    owner,
    endpointName: toEndpointName(owner, pipeline),
    deployable,
    wanted: toNamed(owner, pipeline, toContent(deployable)),
    tags: {
      application: store.bucket,
      pipeline,
      run: toRunId(run),
      modelSha256: givenArchive(plan.model).sha256,
      owner: planned.owner,
      expiresAt: null,
    },
  };
}
