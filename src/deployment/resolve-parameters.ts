import { brokenConstraint, type DeclaredParameters, optionName } from './declared-parameter.ts';

type Effect = (from: string, to: string) => string | null;

const whereRemoved =
  (text: string): Effect =>
  (from, to) =>
    from !== '' && to === '' ? text : null;

const whereShorter =
  (what: string): Effect =>
  (from, to) =>
    Number(to) < Number(from) ? `S3 deletes ${what} older than ${to} days within a day or two` : null;

const EFFECTS: Readonly<Record<string, Effect>> = {
  IncomingRetentionDays: whereShorter('uploaded files'),
  RunsRetentionDays: whereShorter('plans, predictions and reports'),
  StagedRetentionDays: (from, to) =>
    Number(to) < Number(from)
      ? `S3 deletes copies of inputs older than ${to} days within a day or two, also while a run needs them`
      : null,
  NoncurrentRetentionDays: (from, to) =>
    Number(to) < Number(from)
      ? `S3 deletes, for good, versions that were overwritten or deleted more than ${to} days ago`
      : null,
  KmsKeyArn: (from) =>
    from === ''
      ? 'only what is written from now on is encrypted with it'
      : 'the stack can no longer read what was written under the former key, its state and pipelines included',
  VpcSubnetIds: whereRemoved('models and training jobs run outside the VPC from the next run on'),
  ApiJwtIssuer: (from, to) =>
    to === ''
      ? "the API refuses tokens and asks for AWS's signature"
      : from === ''
        ? "the API refuses AWS's signature and asks for tokens"
        : 'the API refuses tokens of the former issuer',
  ApiPipelinesClaim: whereRemoved('every token opens every pipeline'),
  NotificationEmail: (_, to) =>
    to === ''
      ? 'no messages and no alarms are sent'
      : 'AWS asks the new address to confirm before it gets any message',
  ReadBucketArns: whereRemoved('models and inputs in those buckets can no longer be read'),
  ReadKeyArns: whereRemoved('files under those keys can no longer be read'),
  PermissionsBoundaryArn: whereRemoved('the roles of the stack have no boundary'),
  AlarmTopicArn: (_, to) =>
    to === '' ? 'alarms go to the people who get messages of runs' : 'those people no longer get alarms',
  ImageRepositoryArns: whereRemoved('models with images of those repositories can no longer start'),
};

/** Parameter as CreateChangeSet takes it. */
export type SentParameter =
  | { readonly ParameterKey: string; readonly ParameterValue: string }
  | { readonly ParameterKey: string; readonly UsePreviousValue: true };

/** Change of a parameter that is deployed. */
export interface ParameterChange {
  readonly option: string;
  readonly from: string;
  readonly to: string;
  /** Effect of the change, if the two values do not make it clear; null otherwise. */
  readonly effect: string | null;
}

/** Parameters of a deployment. */
export interface ResolvedParameters {
  /** Value of each parameter but `Stage`. */
  readonly values: ReadonlyMap<string, string>;
  /** Parameters to send. Those that are left out get the template's default: the stack has had no value for them. */
  readonly sent: readonly SentParameter[];
  /** Changes of deployed values; for a new stack the values that differ from their defaults. */
  readonly changes: readonly ParameterChange[];
  /** Deployed values that stay though they differ from their defaults, by their names on the command line. */
  readonly kept: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

const HIDDEN = '****';

/** Parameters that mean nothing, or less than intended, without each other. */
const TOGETHER = [
  ['ApiJwtIssuer', 'ApiJwtAudience'],
  ['VpcSubnetIds', 'VpcSecurityGroupIds'],
] as const;

/**
 * Resolves the (already validated) parameters of a deployment: the given value, else the deployed one, else the template's default.
 * Empty text asks for the default. A deployed parameter that the template no longer declares counts as a change to no value.
 */
export function resolveParameters({
  declared,
  given,
  deployed,
  importedBucket,
  stage,
}: {
  readonly declared: DeclaredParameters;
  readonly given: ReadonlyMap<string, string>;
  /** Parameters of the stack as CloudFormation shows them; empty for a new one. */
  readonly deployed: ReadonlyMap<string, string>;
  /** Bucket of a stack that took it over, and then failed before the rest was created with its parameters. */
  readonly importedBucket: string | undefined;
  readonly stage: string;
}): ResolvedParameters {
  const sent: SentParameter[] = [{ ParameterKey: 'Stage', ParameterValue: stage }];
  const changes: ParameterChange[] = [];
  const kept = new Map<string, string>();
  const problems: string[] = [];
  const values = new Map<string, string>();
  for (const [name, parameter] of Object.entries(declared)) {
    if (name === 'Stage') continue;
    const { Default = '', NoEcho } = parameter;
    const option = optionName(name);
    const show = (value: string): string => (NoEcho && value !== '' ? HIDDEN : value);
    const before = deployed.get(name);
    const asked = given.get(name) ?? (name === 'BucketName' ? importedBucket : undefined);
    const value = asked === undefined ? (before ?? Default) : asked === '' ? Default : asked;
    values.set(name, value);
    if (asked === undefined && before !== undefined && !NoEcho) {
      const rule = brokenConstraint(before, parameter);
      if (rule !== undefined)
        problems.push(
          `${option} must be ${rule}; the stack has '${before}', which this version does not take: add --param ${option}=VALUE`,
        );
    }
    if (asked !== undefined) sent.push({ ParameterKey: name, ParameterValue: value });
    else if (before !== undefined) sent.push({ ParameterKey: name, UsePreviousValue: true });
    if (asked !== undefined && (NoEcho || value !== (before ?? Default)))
      changes.push({
        option,
        from: show(before ?? Default),
        to: show(value),
        effect: before === undefined ? null : effectOfChange(name, before, value),
      });
    else if (before !== undefined && before !== Default) kept.set(option, show(before));
  }
  for (const [name, from] of deployed)
    if (declared[name] === undefined && from !== '')
      changes.push({
        option: optionName(name),
        from,
        to: '',
        effect: 'this version has no such parameter',
      });
  const bucket = otherBucket(given.get('BucketName'), deployed.get('BucketName') ?? importedBucket);
  return { values, sent, changes, kept, problems: [...problems, ...missingHalves(values), ...bucket] };
}

function missingHalves(values: ReadonlyMap<string, string>): string[] {
  const isSet = (name: string): boolean => (values.get(name) ?? '') !== '';
  if (isSet('ReadKeyArns') && !isSet('ReadBucketArns'))
    return [
      'readKeyArns needs readBucketArns, the buckets that the keys encrypt: give both, or --param readKeyArns=',
    ];
  return TOGETHER.flatMap(([one, other]) => {
    if (isSet(one) === isSet(other)) return [];
    const [set, missing] = isSet(one) ? [one, other] : [other, one];
    return [
      `${optionName(set)} needs ${optionName(missing)}: give both, or --param ${optionName(set)}= for neither`,
    ];
  });
}

/** Problem of another bucket's name: CloudFormation would make another bucket, and leave the present one with all its objects. */
function otherBucket(asked: string | undefined, before: string | undefined): string[] {
  if (before === undefined || asked === undefined || asked === before) return [];
  return [
    before === ''
      ? 'bucketName must not be given: the stack has a bucket with a name that CloudFormation chose'
      : `bucketName must be ${before}, the bucket of the stack, is '${asked}': leave it out`,
  ];
}

/** Effect of changing a deployed parameter; null if the two values are clear enough. */
function effectOfChange(name: string, from: string, to: string): string | null {
  return EFFECTS[name]?.(from, to) ?? null;
}
