/** Account, region and ARN of who deploys. */
interface Deployer {
  readonly account: string;
  readonly region: string;
  readonly arn: string;
}

/** Things that an organization names; empty or undefined if it doesn't. */
interface Named {
  readonly boundary: string | undefined;
  readonly alarmTopic: string | undefined;
  readonly cfnRole: string | undefined;
}

const ROLE = /^arn:[^:]+:iam::\d{12}:role\/[!-~]+$/;
/** Fields of an ARN by their position. */
const FIELDS = { partition: 1, region: 3, account: 4 } as const;
/** Owner of AWS's own policies. */
const AWS = 'aws';

/** Problems of a role that isn't one, and of things in a place where this stack can't use them: CloudFormation would find them midway. */
export function organizationProblems({ boundary, alarmTopic, cfnRole }: Named, deployer: Deployer): string[] {
  const { region, account } = deployer;
  const [, partition = ''] = deployer.arn.split(':');
  if (cfnRole !== undefined && !ROLE.test(cfnRole)) {
    const why = cfnRole === '' ? ': a stack keeps its role until another one is named' : '';
    return [
      `--cfn-role must be the ARN of a role, such as arn:aws:iam::111111111111:role/cfn, is '${cfnRole}'${why}`,
    ];
  }
  return [
    ...elsewhere('--cfn-role', cfnRole, { partition, account }),
    ...elsewhere('permissionsBoundaryArn', boundary, { partition, account }),
    ...elsewhere('alarmTopicArn', alarmTopic, { partition, region }),
  ];
}

function elsewhere(
  option: string,
  arn: string | undefined,
  wanted: Readonly<Partial<Record<keyof typeof FIELDS, string>>>,
): string[] {
  if (arn === undefined || arn === '') return [];
  const fields = arn.split(':');
  return (['partition', 'region', 'account'] as const).flatMap((name) => {
    const [is = '', must] = [fields[FIELDS[name]], wanted[name]];
    return must === undefined || is === must || (name === 'account' && is === AWS)
      ? []
      : [`${option} must be in the ${name} ${must} of the stack, is in ${is}: ${arn}`];
  });
}
