import { AwsError } from '../../gateway/aws-error.ts';
import type { Credentials, RoleSessions } from '../../gateway/permission.ts';
import type { FunctionInvoker } from '../../gateway/ports.ts';
import type { Site } from '../../gateway/service.ts';
import type { SdkCalls } from './sdk-calls.ts';

/** What a state machine calls: functions and other services, as far as its role may. */
export interface Calls {
  readonly functions: FunctionInvoker;
  readonly sdk: SdkCalls;
}

const SESSION = 'states';

/** The calls of each role, made when it first needs them; `close` ends the clients of all of them. */
export function callsByRole(options: {
  readonly site: Site;
  readonly functions: FunctionInvoker;
  readonly sdkOf: (credentials: Credentials) => SdkCalls;
  readonly roles: RoleSessions;
}): { as(roleArn: string): Calls; close(): void } {
  const { site, functions, sdkOf, roles } = options;
  const known = new Map<string, Calls>();
  return {
    as(roleArn) {
      const calls = known.get(roleArn) ?? {
        functions: functionsAs(functions, site, (permission) =>
          roles.refusal(roleArn, SESSION, [permission]),
        ),
        sdk: sdkOf(roles.credentialsOf(roleArn, SESSION)),
      };
      known.set(roleArn, calls);
      return calls;
    },
    close() {
      for (const { sdk } of known.values()) sdk.close();
    },
  };
}

function functionsAs(
  functions: FunctionInvoker,
  { partition, region, account }: Site,
  refusalOf: (permission: { readonly action: string; readonly resource: string }) => string | null,
): FunctionInvoker {
  const check = (target: string): void => {
    const isArn = target.startsWith('arn:');
    const resource = isArn ? target : `arn:${partition}:lambda:${region}:${account}:function:${target}`;
    const refusal = refusalOf({ action: 'lambda:InvokeFunction', resource });
    // Step Functions tells it as `Lambda.AWSLambdaException`, of status 403.
    if (refusal !== null) throw new AwsError('AWSLambda', refusal, { statusCode: 403 });
  };
  return {
    async invoke(target, payload) {
      check(target);
      return functions.invoke(target, payload);
    },
    invokeLater(target, payload) {
      check(target);
      functions.invokeLater(target, payload);
    },
  };
}
