import * as z from 'zod';
import type { Account } from '../../aws/account/account.ts';
import type { StackDescription, StackResource } from '../../aws/account/stack.ts';
import {
  changesConcurrency,
  concurrencyProblems,
  reservationAdvice,
} from '../../deployment/concurrency-problems.ts';
import { DeclaredParameter } from '../../deployment/declared-parameter.ts';
import { readGivenParameters } from '../../deployment/given-parameters.ts';
import { type Discovered, discoveryUrl, issuerProblem } from '../../deployment/issuer-problem.ts';
import { organizationProblems } from '../../deployment/organization-problems.ts';
import { accountLine } from '../../deployment/printed-lines.ts';
import {
  type ParameterChange,
  type ResolvedParameters,
  resolveParameters,
} from '../../deployment/resolve-parameters.ts';
import { whyNotDeployable } from '../../deployment/stack-state.ts';
import { readTags, resolveTags, resourceTagProblems } from '../../deployment/stack-tags.ts';

/** Deployment as requested on the command line. */
export interface AskedDeployment {
  readonly stackName: string;
  readonly stage: string;
  /** Section `Parameters` of the template. */
  readonly declared: unknown;
  /** Values of `--param`, each `name=value`. */
  readonly options: readonly string[];
  /** Values of `--tag`, each `KEY=VALUE`. */
  readonly tags: readonly string[];
  /** Value of `--cfn-role`. */
  readonly cfnRole: string | undefined;
}

interface ReviewServices {
  readonly account: Pick<Account, 'identity' | 'lambdaConcurrency'>;
  readonly describeStack: (stackName: string) => Promise<StackDescription | undefined>;
  readonly stackResources: (stackName: string) => Promise<readonly StackResource[]>;
  /** Asks for the discovery document of an issuer of tokens. */
  readonly discover: (url: string) => Promise<Discovered>;
  /** Prints a line. */
  readonly tell: (line: string) => void;
}

/** Deployment that may begin. */
export interface ReviewedDeployment extends Pick<ResolvedParameters, 'sent'> {
  readonly stackTags: ReadonlyMap<string, string>;
  /** Whether it must be carried out though code and template are those of the last one. */
  readonly isDue: boolean;
}

/**
 * Reviews a deployment before anything is made: refuses unknown and impossible parameters, those that the account's
 * Lambda concurrency does not allow, an issuer of tokens without a discovery document, and states of the stack, and
 * prints which account it goes to and which deployed parameters it changes.
 *
 * @throws {Error} with every problem, a line each
 */
export async function reviewDeployment(
  { stackName, stage, declared: section, options, tags, cfnRole }: AskedDeployment,
  { account, describeStack, stackResources, discover, tell }: ReviewServices,
): Promise<ReviewedDeployment> {
  const declared = z.record(z.string(), DeclaredParameter).parse(section);
  const given = readGivenParameters(options, stage, declared);
  const givenTags = readTags(tags, '--tag');
  refuse([...given.problems, ...givenTags.problems]);
  const identity = await account.identity();
  tell(accountLine(identity));
  const { region } = identity;
  const stack = await describeStack(stackName);
  const state = stack && whyNotDeployable(stack.status, { stackName, stage, region });
  if (state !== undefined) refuse([state]);
  const deployed = stack?.parameters ?? new Map<string, string>();
  const tagging = resolveTags(givenTags.tags, stack?.tags ?? new Map(), deployed.get('ResourceTags') ?? '');
  const { stackTags, resourceTags } = tagging;
  const { values, sent, changes, kept, problems } = resolveParameters({
    declared,
    given:
      resourceTags === undefined ? given.values : new Map([...given.values, ['ResourceTags', resourceTags]]),
    deployed,
    importedBucket: stack && (await bucketWithoutParameters(stack, stackName, stackResources)),
    stage,
  });
  refuse([
    ...problems,
    ...(tags.length > 0 && given.values.has('ResourceTags')
      ? ['--tag sets resourceTags: give one of them']
      : []),
    ...tagging.problems,
    ...resourceTagProblems(values.get('ResourceTags') ?? ''),
    ...organizationProblems(
      { boundary: values.get('PermissionsBoundaryArn'), alarmTopic: values.get('AlarmTopicArn'), cfnRole },
      identity,
    ),
  ]);
  let advice: string | undefined;
  if (changesConcurrency(values, deployed, declared)) {
    const concurrency = await account.lambdaConcurrency();
    refuse(concurrencyProblems(values, deployed, concurrency));
    advice = reservationAdvice(values, deployed, concurrency);
  }
  const issuer = values.get('ApiJwtIssuer') ?? '';
  if (issuer !== '' && issuer !== deployed.get('ApiJwtIssuer')) {
    const problem = issuerProblem(issuer, await discover(discoveryUrl(issuer)));
    if (problem !== undefined) refuse([problem]);
  }
  const isNew = stack === undefined || stack.parameters.size === 0;
  const from = stack?.serviceRole ?? '';
  const role =
    cfnRole === undefined || cfnRole === from
      ? []
      : [{ option: 'cfn-role', from, to: cfnRole, effect: null }];
  const all = [...changes, ...tagging.changes, ...role];
  if (all.length > 0)
    tell(isNew ? 'Parameters that are not their defaults:' : `Parameters of ${stackName} that change:`);
  for (const change of all) tell(`  ${isNew ? `${change.option} ${change.to}` : toLine(change)}`);
  if (kept.size > 0)
    tell(`Kept as deployed: ${Array.from(kept, ([option, value]) => `${option} ${value}`).join(', ')}`);
  if (advice !== undefined) tell(advice);
  // After a failure the code may look unchanged, since it is compared with the last upload.
  return { sent, stackTags, isDue: all.length > 0 || /ROLLBACK/.test(stack?.status ?? '') };
}

/** The bucket of a stack if its first deployment took the bucket over and then failed; undefined for any other stack. */
async function bucketWithoutParameters(
  { parameters }: StackDescription,
  stackName: string,
  stackResources: ReviewServices['stackResources'],
): Promise<string | undefined> {
  if (parameters.has('BucketName')) return undefined;
  const resources = await stackResources(stackName);
  return resources.find(({ logicalId, status }) => logicalId === 'Bucket' && !status.startsWith('DELETE'))
    ?.physicalId;
}

function toLine({ option, from, to, effect }: ParameterChange): string {
  const shown = (value: string): string => (value === '' ? 'none' : value);
  return `${option}: ${shown(from)} → ${shown(to)}${effect === null ? '' : `: ${effect}`}`;
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
