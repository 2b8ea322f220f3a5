import path from 'node:path';
import { createIam, type Iam } from '../../iam/service.ts';
import type { Service, Site } from '../../kernel/service.ts';
import { localGateway } from './local-gateway.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A gateway on a free port in front of services whose callers may have roles. */
export async function localRoles(
  make: (parts: { site: Site; iam: Iam; below: (name: string) => string }) => readonly Service[],
  options: Partial<Pick<Parameters<typeof createIam>[0], 'report' | 'onAllowed'>> = {},
) {
  const dir = temporaryFolder('roles-');
  const below = (name: string) => path.join(dir, name);
  const made: Iam[] = [];
  const iam = () => made[0]!;
  const gateway = await localGateway(
    (site) => {
      made.push(createIam({ dir: below('iam'), site, report: () => undefined, ...options }));
      return make({ site, iam: iam(), below });
    },
    {
      roles: {
        secretOf: (id) => iam().roles.secretOf(id),
        refusal: (id, permissions) => iam().roles.refusal(id, permissions),
        ownerRefusal: (permissions) => iam().roles.ownerRefusal(permissions),
      },
    },
  );
  /** Makes a role with these statements, which SageMaker may assume; its ARN. */
  const role = async (name: string, ...Statement: unknown[]): Promise<string> => {
    await iam().resources['AWS::IAM::Role']!.apply(
      {
        AssumeRolePolicyDocument: {
          Statement: [
            { Effect: 'Allow', Principal: { Service: 'sagemaker.amazonaws.com' }, Action: 'sts:AssumeRole' },
          ],
        },
        Policies: [{ PolicyName: name, PolicyDocument: { Version: '2012-10-17', Statement } }],
      },
      { stackName: 's', logicalId: name, physicalId: name, site: gateway.site },
    );
    return `arn:aws:iam::000000000000:role/${name}`;
  };
  return {
    ...gateway,
    iam: iam(),
    below,
    role,
    /** Settings of the clients of a function whose role has these statements. */
    async clientOf(name: string, ...statements: unknown[]) {
      const credentials = iam().sessions.credentialsOf(await role(name, ...statements), 'fn');
      return { ...gateway.client, credentials };
    },
  };
}

export type LocalRoles = Awaited<ReturnType<typeof localRoles>>;

/** A statement that allows actions. */
export const allow = (Action: unknown, Resource: unknown = '*', Condition = {}) => ({
  Effect: 'Allow',
  Action,
  Resource,
  Condition,
});
