import type { Capability } from '@aws-sdk/client-cloudformation';

/** Template that CloudFormation is sent, packaged and parsed; a mistake changes a copy. */
export type PackagedTemplate = any;

/** One deliberate mistake in the deployed stack, and AWS's reaction to it. */
export interface Mistake {
  /** Says what is wrong, as a reviewer would. */
  readonly mistake: string;
  readonly make: (template: PackagedTemplate) => void;
  /** Part of AWS's answer. */
  readonly says: string | RegExp;
  /** Capabilities and parameters of the deployment. */
  readonly request?: {
    readonly capabilities?: readonly Capability[];
    readonly parameters?: Readonly<Record<string, string>>;
  };
}

/** Statements of a role's inline policy, or of a policy resource. */
export function statementsOf(template: PackagedTemplate, logicalId: string): any[] {
  const { Policies, PolicyDocument } = template.Resources[logicalId].Properties;
  return (PolicyDocument ?? Policies[0].PolicyDocument).Statement;
}

/** Takes actions out of every statement of a role or policy that allows them. */
export function withoutActions(logicalId: string, ...actions: string[]) {
  return (template: PackagedTemplate): void => {
    const { Policies, PolicyDocument } = template.Resources[logicalId].Properties;
    const documents: any[] = PolicyDocument
      ? [PolicyDocument]
      : Policies.map((policy: any) => policy.PolicyDocument);
    const before = JSON.stringify(documents);
    for (const document of documents) {
      for (const statement of document.Statement)
        if (statement.Effect === 'Allow')
          statement.Action = [statement.Action].flat().filter((action) => !actions.includes(action));
      document.Statement = document.Statement.filter(
        ({ Action }: any) => Action === undefined || Action.length > 0,
      );
    }
    if (JSON.stringify(documents) === before) throw new Error(`${logicalId} allows none of ${actions}`);
  };
}

/** Takes a resource, by the end of its ARN, out of the statements that allow an action. */
export function withoutResource(logicalId: string, action: string, end: string) {
  return (template: PackagedTemplate): void => {
    let found = false;
    for (const statement of statementsOf(template, logicalId)) {
      if (![statement.Action].flat().includes(action) || !Array.isArray(statement.Resource)) continue;
      const left = statement.Resource.filter((one: unknown) => !JSON.stringify(one).includes(end));
      found ||= left.length < statement.Resource.length;
      statement.Resource = left;
    }
    if (!found) throw new Error(`${logicalId} allows ${action} on nothing that ends in ${end}`);
  };
}

/** A state of a machine, wherever it stands. */
export function stateOf(template: PackagedTemplate, name: string, machine = 'BatchInference'): any {
  const { States } = template.Resources[machine].Properties.Definition;
  return States[name];
}
