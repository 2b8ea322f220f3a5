import * as z from 'zod';

const OneOrMore = z.union([z.string(), z.array(z.string())]).optional();
/** The part of a document that IAM looks at next to its form. */
const Document = z.looseObject({
  Statement: z.preprocess(
    (value) => (Array.isArray(value) ? value : [value]),
    z.array(
      z.looseObject({
        Sid: z.string().optional(),
        Action: OneOrMore,
        NotAction: OneOrMore,
        Resource: OneOrMore,
        NotResource: OneOrMore,
        Condition: z.unknown().optional(),
      }),
    ),
  ),
});
type Statement = z.infer<typeof Document>['Statement'][number];

/** Why AWS would refuse a document of the right form, in its words; undefined if it would not. */
export function checkGrammar(kind: 'identity' | 'resource' | 'trust', document: unknown): string | undefined {
  const statements = Document.parse(document).Statement;
  const sids = statements.flatMap(({ Sid }) => Sid ?? []);
  if (new Set(sids).size < sids.length) return 'Statement IDs (SID) in a single policy must be unique.';
  for (const statement of statements) {
    const problem =
      actionProblem(statement) ??
      (kind === 'trust' ? trustProblem(statement) : resourceProblem(statement)) ??
      (kind === 'identity' ? identityProblem(statement) : undefined) ??
      variableProblem(statement);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function actionProblem({ Action, NotAction }: Statement): string | undefined {
  if (Action === undefined && NotAction === undefined) return 'Policy statement must contain actions.';
  if (Action !== undefined && NotAction !== undefined) return 'Syntax errors in policy. Action and NotAction';
  for (const action of [Action ?? NotAction ?? []].flat()) {
    if (action === '*') continue;
    if (!action.includes(':'))
      return 'Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.';
    if (action.split(':').length > 2) return 'Actions/Condition can contain only one colon.';
    if (!/^[\w-]+:/.test(action)) return `Vendor ${action.split(':')[0]} is not valid`;
  }
  return undefined;
}

function resourceProblem({ Resource, NotResource }: Statement): string | undefined {
  if (Resource === undefined && NotResource === undefined) return 'Policy statement must contain resources.';
  return Resource !== undefined && NotResource !== undefined
    ? 'Syntax errors in policy. Resource and NotResource'
    : undefined;
}

/** Service names without a wildcard; S3's and IAM's ARNs have no region. */
function identityProblem({ Sid = '', Resource, NotResource }: Statement): string | undefined {
  if (!/^[0-9A-Za-z]*$/.test(Sid))
    return 'Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*';
  for (const resource of [Resource ?? NotResource ?? []].flat()) {
    if (resource === '*') continue;
    const [arn, partition, service = '', region, , ...rest] = resource.split(':');
    if (arn !== 'arn' || rest.length === 0) return `Resource ${resource} must be in ARN format or "*".`;
    if (partition === '') return `Partition "" is not valid for resource "${resource}".`;
    if (!/^[\w-]+$/.test(service))
      return 'Resource vendor must be fully qualified and cannot contain regexes.';
    if ((service === 's3' || service === 'iam') && region !== '' && region !== '*')
      return `Resource ${resource} can not contain region information.`;
  }
  return undefined;
}

function trustProblem({ Action, NotAction, Resource, NotResource }: Statement): string | undefined {
  if (Resource !== undefined || NotResource !== undefined) return 'Has prohibited field Resource';
  return [Action ?? NotAction ?? []].flat().every((action) => /^sts:/i.test(action))
    ? undefined
    : 'AssumeRole policy may only specify STS AssumeRole actions.';
}

function variableProblem({ Resource, NotResource, Condition }: Statement): string | undefined {
  const text = JSON.stringify([Resource, NotResource, Condition]);
  const [variable] = /\$\{[^}]*\}?/.exec(text) ?? [];
  return variable === undefined
    ? undefined
    : `The local stack emulates no policy variables: write what ${variable} stands for`;
}
