import { setTimeout as wait } from 'node:timers/promises';
import type { Deployment } from '../src/app/removal/find-deployment.ts';
import type { Leftovers } from '../src/app/removal/find-leftovers.ts';
import { removedLines } from '../src/deployment/printed-lines.ts';
import type { RunKind } from '../src/run/run-kind.ts';
import { plural } from '../src/text/figures.ts';
import { type ServerlessOptions, type ServerlessTools, useSettings } from './serverless-plugin.ts';

/** `--yes` of `npm run remove`, which `serverless remove` does not know: end running work, then remove. */
const ENDS_ALL = process.env.INFERDROP_REMOVE_ALL === 'yes';

/**
 * Keeps `serverless remove` from leaving resources that cost money: endpoints and jobs are not part of the stack, and
 * the functions that would end them are.
 */
export default class GuardRemoval {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;
  private deployment: Deployment | undefined;

  constructor(serverless: ServerlessTools, options: ServerlessOptions) {
    const provider = serverless.getProvider('aws');
    const refuse = (message: string): never => {
      throw new serverless.classes.Error(message);
    };
    this.hooks = {
      'before:remove:remove': async () => {
        useSettings(provider, options);
        const { findDeployment } = await import('../src/app/removal/find-deployment.ts');
        const { findLeftovers, isAnythingRunning } = await import('../src/app/removal/find-leftovers.ts');
        const { deleteUnused, endLeftovers } = await import('../src/app/removal/end-leftovers.ts');
        const stack = await import('../src/aws/account/stack.ts');
        this.deployment = await findDeployment(provider.naming.getStackName(), stack);
        if (!this.deployment) return;
        const { countDeadLetters } = await import('../src/aws/messages/dead-letters.ts');
        const queue = (await stack.describeStack(this.deployment.stackName))?.outputs.get(
          'DeadLetterQueueUrl',
        );
        const letters = queue === undefined ? 0 : await countDeadLetters(queue);
        const services = await openServices(this.deployment);
        const left = await findLeftovers(this.deployment, services);
        const reasons = [
          ...(isAnythingRunning(left) ? [refusal(this.deployment, left)] : []),
          ...(letters > 0 ? [lettersRefusal(this.deployment, letters)] : []),
        ];
        if (reasons.length > 0 && !ENDS_ALL) refuse(reasons.join('\n'));
        if (!isAnythingRunning(left)) return deleteUnused(left, services);
        await endLeftovers(this.deployment, services);
      },
      // Work that began during the removal has nothing left that would end it.
      'after:remove:remove': async () => {
        if (!this.deployment) return;
        const { findLeftovers, isAnythingRunning } = await import('../src/app/removal/find-leftovers.ts');
        const { endLeftovers } = await import('../src/app/removal/end-leftovers.ts');
        const deployment = { ...this.deployment, stateMachineArns: [] };
        const services = await openServices(deployment);
        const left = await findLeftovers(deployment, services);
        if (!isAnythingRunning(left)) return;
        if (!ENDS_ALL) refuse(`The stack is gone, and this is left:\n${toLines(left).join('\n')}`);
        await endLeftovers(deployment, services);
      },
      finalize: async () => {
        if (!this.deployment) return;
        const { bucket, stackName } = this.deployment;
        const place = { stackName, stage: provider.getStage(), region: provider.getRegion() };
        process.stdout.write(`${removedLines(bucket, place).join('\n')}\n`);
      },
    };
  }
}

async function openServices({ bucket, runMachineArns }: Deployment) {
  const { withFunctionEndpoints } = await import('../src/app/endpoint/function/function-endpoints.ts');
  const { endedAlarms } = await import('../src/aws/account/rollback-alarms.ts');
  const { componentScaling } = await import('../src/aws/sagemaker/component-scaling.ts');
  const { inferenceComponents } = await import('../src/aws/sagemaker/components.ts');
  const { endpoints } = await import('../src/aws/sagemaker/endpoints.ts');
  const { executions } = await import('../src/aws/states/executions.ts');
  const { runningWork } = await import('../src/aws/sagemaker/running-work.ts');
  const { objectStore } = await import('../src/aws/s3/s3-object-store.ts');
  const { sageMaker } = await import('../src/aws/sagemaker/sagemaker.ts');
  const { scaling } = await import('../src/aws/sagemaker/scaling.ts');
  const { trainingJobs } = await import('../src/aws/sagemaker/training-jobs.ts');
  const { sageMakerLeftJobs } = await import('../src/app/engine/sagemaker/sagemaker-left-jobs.ts');
  const running = runningWork();
  const store = objectStore({ bucket });
  const clock = (): Date => new Date();
  return {
    store,
    executions: (kind: RunKind) => executions({ stateMachineArn: runMachineArns[kind] }),
    running,
    jobs: {
      sagemaker: sageMakerLeftJobs(running.transformJobs, sageMaker().stopTransformJob),
      training: sageMakerLeftJobs(running.trainingJobs, trainingJobs().stop),
    },
    endpoints: withFunctionEndpoints(store, endpoints(), clock),
    sagemaker: sageMaker(),
    scaling: scaling(),
    components: inferenceComponents(),
    componentScaling: componentScaling(),
    alarms: endedAlarms(),
    clock,
    sleep: (seconds: number) => wait(seconds * 1000),
    tell: (line: string) => void process.stderr.write(`Ending ${line}\n`),
  };
}

function refusal({ stackName }: Deployment, left: Leftovers): string {
  return [
    `${stackName} is not removed: the following is not part of the stack and would stay, most of it at a cost, with ` +
      'nothing left to end it.',
    ...toLines(left),
    'End it with "inferdrop cancel" and "inferdrop endpoints delete", or let the removal do that: inferdrop remove … --yes',
  ].join('\n');
}

function lettersRefusal({ stackName }: Deployment, letters: number): string {
  return (
    `${stackName} is not removed: its dead-letter queue, which goes with it, has ${plural(letters, 'message')}. ` +
    '"inferdrop dead-letters" shows what they are about, "inferdrop dead-letters send" sends them on; inferdrop remove ' +
    '… --yes deletes them'
  );
}

function toLines({ executionArns, jobs, endpoints, models }: Leftovers): string[] {
  return [
    ...executionArns.map((arn) => `  execution ${arn.split(':').slice(-2).join('/')}`),
    ...jobs.map((job) => `  ${job.title} on ${job.hardware}`),
    ...endpoints.map(
      ({ name, status, isCandidate }) =>
        `  endpoint ${name} (${status}${isCandidate ? ', a candidate under test' : ''})`,
    ),
    ...(models.length > 0 ? [`  and ${models.length} models, which cost nothing`] : []),
  ];
}
