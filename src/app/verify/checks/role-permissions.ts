import { combineFindings, type Finding } from '../../../verify/finding.ts';
import { roleCalls } from '../../../verify/role-calls.ts';
import { judgeSimulatedCalls, type SimulatedCall } from '../../../verify/simulated-calls.ts';
import type { Check, VerifyServices } from '../check.ts';
import { outputOf, resourceOf } from '../stack-resource.ts';

/** Of the role that Application Auto Scaling acts as; its first target of SageMaker makes it. */
const LINKED_ROLE = 'AWSServiceRoleForApplicationAutoScaling_SageMakerEndpoint';

/** Every call of every role, by IAM's own simulation. */
export const rolePermissions: Check = {
  name: 'role-permissions',
  asks: 'Does IAM allow each role of the stack what its steps call, and refuse what they must not (SimulatePrincipalPolicy)?',
  usd: null,
  run: async (services) => {
    const { stack, roles } = services;
    const arnOf = (id: string): string =>
      `arn:${stack.partition}:iam::${stack.account}:role/${resourceOf(stack, id)}`;
    const calls = roleCalls({
      ...stack,
      stackName: stack.name,
      bucket: outputOf(stack, 'BucketName'),
      kmsKeyArn: stack.description.parameters.get('KmsKeyArn') || undefined,
      modelRoleArn: arnOf('ModelRole'),
      trainingRoleArn: arnOf('TrainingRole'),
      topicArn: outputOf(stack, 'TopicArn'),
    });
    const there = new Set(stack.resources.map(({ logicalId }) => logicalId));
    const missing = [...new Set(calls.map(({ role }) => role))].filter((role) => !there.has(role));
    const simulated: SimulatedCall[] = [];
    for (const { role, actions, resource, context, wanted } of calls) {
      if (!there.has(role)) continue;
      const decisions = await roles.simulate({ roleArn: arnOf(role), actions, resource, context });
      for (const action of actions)
        simulated.push({ role, action, resource, wanted, decision: decisions.get(action) ?? 'not answered' });
    }
    return combineFindings([judgeSimulatedCalls(simulated, missing), await judgeLinkedRole(services)]);
  },
};

async function judgeLinkedRole({ roles }: Pick<VerifyServices, 'roles'>): Promise<Finding> {
  return (await roles.exists(LINKED_ROLE))
    ? { answered: 'the service-linked role of Application Auto Scaling is there', verdict: 'ok', means: '' }
    : {
        answered: 'no service-linked role of Application Auto Scaling yet',
        verdict: 'ok',
        means: 'The first endpoint with autoscaling makes the service-linked role.',
      };
}
