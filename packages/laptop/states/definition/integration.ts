/** What a Task's Resource asks for. */
export type Integration =
  | { readonly kind: 'function'; readonly target: string }
  | { readonly kind: 'lambda:invoke'; readonly pattern: 'request' | 'token' }
  | { readonly kind: 'states:startExecution'; readonly pattern: 'request' | 'sync' | 'sync:2' | 'token' }
  | { readonly kind: 'sns:publish'; readonly pattern: 'request' | 'token' }
  | { readonly kind: 'sqs:sendMessage'; readonly pattern: 'request' | 'token' }
  | {
      readonly kind: 'aws-sdk';
      readonly service: SdkService;
      readonly action: string;
      readonly pattern: 'request' | 'token';
    };

/** Services whose calls `aws-sdk:<service>:<action>` can reach. */
const sdkServices = ['s3', 'sfn', 'sagemaker', 'sns', 'sqs'] as const;
/** A service of the SDK integrations, as a Resource names it. */
export type SdkService = (typeof sdkServices)[number];

/** AWS's words for a Resource that it does not know. */
export function notRecognized(resource: string): string {
  return `The resource provided ${resource} is not recognized. The value is not a valid resource ARN, or the resource is not available in this region.`;
}

/** A Resource that AWS or the stack does not run; the message names it. */
export class UnsupportedResource extends Error {
  override readonly name = 'UnsupportedResource';
}

const FUNCTION_ARN = /^arn:[\w-]+:lambda:[\w-]*:\d*:function:[\w-]+(:[\w$-]+)?$/;
const SERVICE_ARN = /^arn:[\w-]+:states:::(.+)$/;

/** @throws {UnsupportedResource} */
export function readIntegration(resource: string): Integration {
  if (FUNCTION_ARN.test(resource)) return { kind: 'function', target: resource };
  const call = SERVICE_ARN.exec(resource)?.[1];
  if (call === undefined) {
    throw new UnsupportedResource(
      resource.startsWith('arn:')
        ? `${notRecognized(resource)} (Give a Lambda function's ARN or arn:aws:states:::<service>:<action>.)`
        : 'Value is not a valid resource ARN',
    );
  }
  const [name = '', suffix] = splitSuffix(call);
  const pattern = readPattern(suffix, resource);
  if (name.startsWith('aws-sdk:')) return sdkIntegration(name, pattern, resource);
  if (name === 'states:startExecution') return { kind: name, pattern };
  if (name === 'lambda:invoke' || name === 'sns:publish' || name === 'sqs:sendMessage') {
    return { kind: name, pattern: withoutSync(pattern, resource) };
  }
  throw new UnsupportedResource(
    `${notRecognized(resource)} (The local stack runs lambda:invoke, states:startExecution, sns:publish, sqs:sendMessage and aws-sdk calls of ${sdkServices.join(', ')}.)`,
  );
}

function splitSuffix(call: string): [string, string | undefined] {
  const dot = call.indexOf('.');
  return dot < 0 ? [call, undefined] : [call.slice(0, dot), call.slice(dot + 1)];
}

function readPattern(suffix: string | undefined, resource: string): 'request' | 'sync' | 'sync:2' | 'token' {
  if (suffix === undefined) return 'request';
  if (suffix === 'sync' || suffix === 'sync:2') return suffix;
  if (suffix === 'waitForTaskToken') return 'token';
  throw new UnsupportedResource(
    `${notRecognized(resource)} (It ends in '.${suffix}': the endings are .sync, .sync:2 and .waitForTaskToken.)`,
  );
}

function withoutSync(pattern: ReturnType<typeof readPattern>, resource: string): 'request' | 'token' {
  if (pattern === 'request' || pattern === 'token') return pattern;
  throw new UnsupportedResource(
    `${notRecognized(resource)} (Here .${pattern} exists for states:startExecution only.)`,
  );
}

function sdkIntegration(
  name: string,
  pattern: ReturnType<typeof readPattern>,
  resource: string,
): Integration {
  const [, serviceName, action = '', ...rest] = name.split(':');
  const service = sdkServices.find((known) => known === serviceName);
  if (!service || rest.length > 0 || !/^[a-z]\w*$/.test(action)) {
    throw new UnsupportedResource(
      `${notRecognized(resource)} (Calls of the local stack are aws-sdk:<service>:<action in camelCase> with a service of ${sdkServices.join(', ')}.)`,
    );
  }
  return { kind: 'aws-sdk', service, action, pattern: withoutSync(pattern, resource) };
}
