import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { Check, VerifyServices } from '../check.ts';
import { CPU_INSTANCE } from '../estimates.ts';
import { combineFindings, failed, type Finding, ok } from '../finding.ts';
import { pipelineConfigs } from '../pipeline-configs.ts';
import { toProbeName } from '../probe/name.ts';
import { roleArnOf } from '../verified-stack.ts';

/**
 * Configurations of endpoints that scale to zero, made and deleted: SageMaker refuses them in regions that lack it ("Min instance count
 * needs to be greater than 0", as users report of eu-west-3), and no call but this one tells. A configuration costs nothing.
 */
export const idleHosts: Check = {
  name: 'idle-hosts',
  asks: 'Does SageMaker take configurations of endpoints that scale to zero, in this region, for the instance types of the pipelines?',
  usd: 0,
  run: async (services) => {
    const [first = CPU_INSTANCE, ...others] = await instanceTypes(services.store);
    const findings: [Finding, ...Finding[]] = [await offer(services, first)];
    for (const instanceType of others) findings.push(await offer(services, instanceType));
    return combineFindings(findings);
  },
};

/** Types of the endpoints that pipelines want to scale to zero. */
async function instanceTypes(store: ObjectStore): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const { config } of pipelineConfigs(store))
    if (config.endpoint.deploy !== 'never' && config.endpoint.scaleToZero)
      found.add(config.endpoint.instanceType);
  return [...found];
}

async function offer(
  { stack, components, endpoints, id }: VerifyServices,
  instanceType: string,
): Promise<Finding> {
  const name = toProbeName(stack.name, id, 'idle');
  try {
    await components.createHostConfig({
      name,
      roleArn: roleArnOf(stack, 'ModelRole'),
      vpc: null,
      networkIsolation: false,
      hardware: { kind: 'scaleToZero', instanceType, maxCopies: 1 },
      kmsKeyArn: null,
      tags: { 'inferdrop:verify': id },
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationException')
      return failed(
        `${instanceType}: ${error.message}`,
        `Endpoints with "scaleToZero" on ${instanceType} cannot be deployed here. Set endpoint.type to "lambda" or ` +
          '"serverless", which cost nothing while idle either, name another type, or deploy in another region.',
      );
    throw error;
  }
  await endpoints.deleteConfig(name);
  return ok(
    `${instanceType} is taken with no instance at least`,
    'Endpoints that scale to zero can be configured; see instance-quotas for their instances.',
  );
}
