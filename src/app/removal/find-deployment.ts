import type { StackDescription, StackResource } from '../../aws/account/stack.ts';
import { type ByRunKind, byRunKind } from '../../run/run-kind.ts';

/** Properties by which a deployment's resources are recognized. */
export interface Deployment {
  /** Its CloudFormation stack, with which every name of an endpoint begins: `inferdrop-dev`. */
  readonly stackName: string;
  /** Its data bucket, which endpoints are tagged with and jobs write to. */
  readonly bucket: string;
  /** ARNs of the state machines of runs. */
  readonly runMachineArns: ByRunKind<string>;
  readonly endpointMachineArn: string;
  /** ARNs of all its state machines. */
  readonly stateMachineArns: readonly string[];
  /** Names of its roles; a model is made with one of them. */
  readonly roleNames: readonly string[];
}

interface FindDeploymentServices {
  readonly describeStack: (stackName: string) => Promise<StackDescription | undefined>;
  readonly stackResources: (stackName: string) => Promise<readonly StackResource[]>;
}

/**
 * Recognizes a deployment by the outputs and resources of its stack. Undefined if there is no such stack, or if its creation never
 * finished: it can have nothing under way.
 */
export async function findDeployment(
  stackName: string,
  { describeStack, stackResources }: FindDeploymentServices,
): Promise<Deployment | undefined> {
  const outputs = (await describeStack(stackName))?.outputs;
  const bucket = outputs?.get('BucketName');
  const { inference, training } = byRunKind(({ machine }) => outputs?.get(machine.output));
  const endpointMachineArn = outputs?.get('EndpointMachineArn');
  if (
    bucket === undefined ||
    inference === undefined ||
    training === undefined ||
    endpointMachineArn === undefined
  )
    return undefined;
  const resources = await stackResources(stackName);
  const idsOf = (wanted: string): string[] =>
    resources.filter(({ type }) => type === wanted).map(({ physicalId }) => physicalId);
  return {
    stackName,
    bucket,
    runMachineArns: { inference, training },
    endpointMachineArn,
    stateMachineArns: idsOf('AWS::StepFunctions::StateMachine'),
    roleNames: idsOf('AWS::IAM::Role'),
  };
}
