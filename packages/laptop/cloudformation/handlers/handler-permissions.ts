import type { Permission } from '../../kernel/permission.ts';
import type { Site } from '../../kernel/service.ts';
import { handlerActions, type HandlerCall } from './handler-actions.ts';
import { WITHOUT_RESOURCE } from './without-resource.ts';

/** A resource that CloudFormation is about to make, change or remove. */
export interface HandledResource {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly stackName: string;
  readonly logicalId: string;
  /** Undefined or empty before it is made. */
  readonly physicalId: string | undefined;
}

/**
 * HTTP APIs set up the delivery of their access log with the rights of the caller who creates the stage; the schema of the type
 * does not mention it.
 */
const FOR_ACCESS_LOGS = [...WITHOUT_RESOURCE].filter((action) =>
  /LogDeliver|ResourcePolic|DescribeLogGroups/.test(action),
);

/** Permissions that the caller of a deployment needs, because CloudFormation makes these calls in its name. */
export function handlerPermissions(call: HandlerCall, resource: HandledResource, site: Site): Permission[] {
  const { type, properties } = resource;
  const actions = handlerActions(type, call, properties);
  const hasAccessLog = type === 'AWS::ApiGatewayV2::Stage' && properties['AccessLogSettings'] !== undefined;
  return [...actions, ...(hasAccessLog && call !== 'delete' ? FOR_ACCESS_LOGS : [])].map((action) => {
    const passed = action === 'iam:PassRole' ? { 'iam:PassedToService': passedTo(type) } : {};
    const context = { 'aws:CalledVia': 'cloudformation.amazonaws.com', ...passed };
    return { action, resource: resourceOf(action, resource, site), context };
  });
}

function resourceOf(action: string, handled: HandledResource, site: Site): string {
  if (WITHOUT_RESOURCE.has(action)) return '*';
  const { type, properties, physicalId = '' } = handled;
  const { partition, region, account } = site;
  const [service = ''] = action.split(':');
  const arn = (resource: string, owner = `${region}:${account}`): string =>
    `arn:${partition}:${service}:${owner}:${resource}`;
  const text = (name: string): string => {
    const value = properties[name];
    const [first = ''] = [value].flat();
    return typeof first === 'string' ? first : '';
  };
  // As CloudFormation names what has no name of its own.
  const named = (name: string): string =>
    text(name) || (physicalId.split(/[:/]/).at(-1) ?? '') || `${handled.stackName}-${handled.logicalId}-0`;
  switch (service) {
    case 'apigateway':
      return arn(text('ApiId') === '' ? '/apis' : `/apis/${text('ApiId')}`, `${region}:`);
    case 'cloudwatch':
      if (type === 'AWS::CloudWatch::Dashboard')
        return arn(`dashboard/${named('DashboardName')}`, `:${account}`);
      return arn(`alarm:${named('AlarmName')}`);
    case 'events':
      return arn(`rule/${named('Name')}`);
    case 'iam':
      if (action === 'iam:PassRole') return text('Role') || text('RoleArn');
      return arn(`role/${text('Roles') || named('RoleName')}`, `:${account}`);
    case 'kms':
      return arn(`key/${physicalId}`);
    case 'lambda':
      if (type === 'AWS::Lambda::EventSourceMapping') return arn(`event-source-mapping:${physicalId}`);
      return text('FunctionName').startsWith('arn:')
        ? text('FunctionName')
        : arn(`function:${named('FunctionName')}`);
    case 'logs':
      return arn(`log-group:${text('LogGroupName') || physicalId}`);
    case 's3': {
      const code = codeOf(properties);
      if (code !== undefined) return arn(code, ':');
      return arn(
        text('Bucket') ||
          text('BucketName') ||
          physicalId ||
          `${handled.stackName}-${handled.logicalId}`.toLowerCase(),
        ':',
      );
    }
    case 'sns':
      return text('Topics') || text('TopicArn') || arn(named('TopicName'));
    case 'sqs':
      return arn(text('Queues').split('/').at(-1) || named('QueueName'));
    case 'states':
      return arn(`stateMachine:${named('StateMachineName')}`);
    default:
      return '*';
  }
}

/** Where a function's code lies. */
function codeOf({ Code: code }: HandledResource['properties']): string | undefined {
  if (typeof code !== 'object' || code === null) return undefined;
  const [bucket, key]: unknown[] = [Reflect.get(code, 'S3Bucket'), Reflect.get(code, 'S3Key')];
  return typeof bucket === 'string' && typeof key === 'string' ? `${bucket}/${key}` : undefined;
}

function passedTo(type: string): string {
  return `${{ StepFunctions: 'states', ApiGatewayV2: 'apigateway' }[type.split('::')[1] ?? ''] ?? type.split('::')[1]?.toLowerCase()}.amazonaws.com`;
}
