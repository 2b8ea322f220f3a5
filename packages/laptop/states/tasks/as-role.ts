import { AwsError } from '../../kernel/aws-error.ts';
import type { Credentials, Permission, RoleSessions } from '../../kernel/permission.ts';
import type { FunctionInvoker } from '../../kernel/ports.ts';
import type { Site } from '../../kernel/service.ts';
import type { MapObjects } from '../map/map-objects.ts';
import type { StartedExecutions } from './start-execution.ts';

/** The functions, machines and objects that a state machine reaches, as far as its role may. */
export interface Calls {
  readonly functions: FunctionInvoker;
  readonly executions: StartedExecutions;
  readonly objects: MapObjects;
  /** Why the role may not do something that the engine does for it; null if it may. */
  readonly refusalOf: (permission: Permission) => string | null;
}

const SESSION = 'states';

/** The calls of each role, made when it first needs them; `close` closes every role's clients. */
export function callsByRole(options: {
  readonly site: Site;
  readonly functions: FunctionInvoker;
  readonly executions: StartedExecutions;
  readonly objectsOf: (credentials: Credentials) => MapObjects;
  readonly roles: RoleSessions;
}): { as(roleArn: string): Calls; close(): void } {
  const { site, functions, executions, objectsOf, roles } = options;
  const known = new Map<string, Calls>();
  const callsOf = (roleArn: string): Calls => {
    const refusalOf = (permission: Permission): string | null =>
      roles.refusal(roleArn, SESSION, [permission]);
    return {
      functions: functionsAs(functions, site, refusalOf),
      executions: executionsAs(executions, refusalOf),
      objects: objectsOf(roles.credentialsOf(roleArn, SESSION)),
      refusalOf,
    };
  };
  return {
    as(roleArn) {
      const calls = known.get(roleArn) ?? callsOf(roleArn);
      known.set(roleArn, calls);
      return calls;
    },
    close() {
      for (const { objects } of known.values()) objects.close();
    },
  };
}

function functionsAs(
  functions: FunctionInvoker,
  { partition, region, account }: Site,
  refusalOf: Calls['refusalOf'],
): FunctionInvoker {
  const check = (target: string): void => {
    const isArn = target.startsWith('arn:');
    const resource = isArn ? target : `arn:${partition}:lambda:${region}:${account}:function:${target}`;
    const refusal = refusalOf({ action: 'lambda:InvokeFunction', resource });
    // Step Functions reports it as `Lambda.AWSLambdaException`, of status 403.
    if (refusal !== null) throw new AwsError('AWSLambda', refusal, { statusCode: 403 });
  };
  return {
    async invoke(target, payload) {
      check(target);
      return functions.invoke(target, payload);
    },
    async invokeLater(target, payload) {
      check(target);
      await functions.invokeLater(target, payload);
    },
  };
}

function executionsAs(executions: StartedExecutions, refusalOf: Calls['refusalOf']): StartedExecutions {
  return {
    async start(stateMachineArn, input, name) {
      const refusal = refusalOf({ action: 'states:StartExecution', resource: stateMachineArn });
      if (refusal !== null) throw new AwsError('AccessDeniedException', refusal);
      return executions.start(stateMachineArn, input, name);
    },
  };
}
