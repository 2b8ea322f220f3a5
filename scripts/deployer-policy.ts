import { handlerActions } from '@inferdrop/laptop/internal/handler-actions';
import { WITHOUT_RESOURCE } from '@inferdrop/laptop/internal/without-resource';

/** Calls of osls 4.3.1 for deploy, info and remove (lib/plugins/aws), besides those that CloudFormation makes for it. */
const BY_SERVERLESS = [
  ...['CreateChangeSet', 'DeleteChangeSet', 'DeleteStack', 'DescribeChangeSet', 'DescribeStackEvents'],
  ...['DescribeStackResource', 'DescribeStacks', 'ExecuteChangeSet', 'GetTemplate', 'ListStackResources'],
  // Required by CreateChangeSet where a stack has tags, as serverless gives it one.
  ...['TagResource', 'ValidateTemplate'],
].map((call) => `cloudformation:${call}`);
/** Calls of scripts/review-deployment.ts, besides those that serverless makes as well. */
const BY_REVIEW = ['lambda:GetAccountSettings'];
const BUNDLES = [
  ...['DeleteObject', 'DeleteObjectVersion', 'GetObject', 'ListBucket', 'ListBucketVersions', 'PutObject'],
].map((call) => `s3:${call}`);

/**
 * HTTP APIs set up the delivery of their access log with the rights of the caller who creates the stage (developer guide, "HTTP
 * API logging").
 */
const FOR_ACCESS_LOGS = [
  ...['CreateLogDelivery', 'DeleteLogDelivery', 'DescribeLogGroups', 'DescribeResourcePolicies'],
  ...['GetLogDelivery', 'ListLogDeliveries', 'PutResourcePolicy', 'UpdateLogDelivery'],
].map((call) => `logs:${call}`);

/** API Gateway makes it with the rights of the caller who creates the first API of an account. */
const API_GATEWAYS_ROLE =
  'arn:aws:iam::*:role/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway';
const ROLES = 'arn:aws:iam::*:role/inferdrop-*';
/** Everything of a stack is named `inferdrop-<stage>-…`, by the template or by CloudFormation; keys, mappings and APIs have ids. */
const RESOURCES: Readonly<Record<string, readonly string[]>> = {
  apigateway: [
    'arn:aws:apigateway:*::/apis',
    'arn:aws:apigateway:*::/apis/*',
    'arn:aws:apigateway:*::/tags/*',
  ],
  cloudformation: ['arn:aws:cloudformation:*:*:stack/inferdrop-*'],
  cloudwatch: ['arn:aws:cloudwatch:*:*:alarm:inferdrop-*', 'arn:aws:cloudwatch::*:dashboard/inferdrop-*'],
  events: ['arn:aws:events:*:*:rule/inferdrop-*'],
  iam: [ROLES],
  kms: ['arn:aws:kms:*:*:key/*'],
  lambda: ['arn:aws:lambda:*:*:function:inferdrop-*', 'arn:aws:lambda:*:*:event-source-mapping:*'],
  logs: [
    'arn:aws:logs:*:*:log-group:/aws/lambda/inferdrop-*',
    'arn:aws:logs:*:*:log-group:/aws/vendedlogs/*inferdrop-*',
  ],
  s3: ['arn:aws:s3:::inferdrop-*'],
  sns: ['arn:aws:sns:*:*:inferdrop-*'],
  sqs: ['arn:aws:sqs:*:*:inferdrop-*'],
  states: ['arn:aws:states:*:*:stateMachine:inferdrop-*'],
};

/** Conditions by service. Keys have no names of the stack's: without it, keys of others could be deleted by their ids. */
const CONDITIONS: Readonly<Record<string, unknown>> = {
  kms: { 'ForAnyValue:StringEquals': { 'aws:CalledVia': ['cloudformation.amazonaws.com'] } },
};

interface Template {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }>
  >;
}

/** A policy in IAM's form. */
export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly {
    readonly Effect: 'Allow';
    readonly Action: readonly string[];
    readonly Resource: readonly string[];
    readonly Condition?: unknown;
  }[];
}

/** Services with actions that decide the worth of every other right: many companies give these to another team. */
const IDENTITY: ReadonlySet<string> = new Set(['iam', 'kms']);

/**
 * The permissions needed to deploy and remove these templates, in two policies for the partition `aws`: a single one would be too
 * long for IAM (6,144 characters without white space).
 *
 * @throws {Error} for actions of a service that has no resources here
 */
export function deployerPolicies(
  templates: readonly Template[],
): Readonly<Record<'identity' | 'services', Policy>> {
  const actions = new Set([...BY_SERVERLESS, ...BY_REVIEW, ...BUNDLES, ...FOR_ACCESS_LOGS]);
  for (const { Resources } of templates)
    for (const { Type, Properties = {} } of Object.values(Resources))
      for (const call of ['create', 'update', 'delete'] as const)
        for (const action of handlerActions(Type, call, Properties)) actions.add(action);
  actions.delete('iam:PassRole');
  const all = [...actions].sort();
  const passed = { 'iam:PassedToService': ['lambda.amazonaws.com', 'states.amazonaws.com'] };
  const [identity = [], services = []] = [true, false].map((isIdentity) =>
    all.filter((action) => IDENTITY.has(serviceOf(action)) === isIdentity),
  );
  return {
    identity: toPolicy(identity, [
      { Effect: 'Allow', Action: ['iam:PassRole'], Resource: [ROLES], Condition: { StringEquals: passed } },
      { Effect: 'Allow', Action: ['iam:CreateServiceLinkedRole'], Resource: [API_GATEWAYS_ROLE] },
    ]),
    services: toPolicy(services, []),
  };
}

function serviceOf(action: string): string {
  return action.slice(0, action.indexOf(':'));
}

/** A statement for each service, those that are given, and one for actions without resources. */
function toPolicy(actions: readonly string[], further: Policy['Statement']): Policy {
  const onEverything = actions.filter((action) => WITHOUT_RESOURCE.has(action));
  const onResources = actions.filter((action) => !WITHOUT_RESOURCE.has(action));
  const scoped = [...Map.groupBy(onResources, serviceOf)].map(([service, Action]) => {
    const Resource = RESOURCES[service];
    if (!Resource)
      throw new Error(
        `scripts/deployer-policy.ts: ${Action.join(', ')} of a service without resources: name them there, or the ` +
          'property that asks for them in packages/laptop/cloudformation/handlers/optional-actions.json',
      );
    const Condition = CONDITIONS[service];
    return { Effect: 'Allow' as const, Action, Resource, ...(Condition !== undefined && { Condition }) };
  });
  const bare = { Effect: 'Allow' as const, Action: onEverything, Resource: ['*'] };
  return { Version: '2012-10-17', Statement: [...scoped, ...further, bare] };
}
