import * as z from 'zod';
import type { QueryActions } from '../../gateway/query-service.ts';
import type { StackRecord } from '../stack-record.ts';
import type { Stacks } from '../stacks.ts';
import { parseTemplate } from '../template.ts';

const Input = z.object({ StackName: z.string().optional() });

/** One stack by name or id, or all. */
export function describeStacks(stacks: Stacks): QueryActions[string] {
  return (input) => {
    const { StackName } = Input.parse(input);
    const found = StackName === undefined ? stacks.all() : [stacks.find(StackName)];
    return { Stacks: found.map(toStack) };
  };
}

function toStack(stack: StackRecord) {
  return {
    StackName: stack.stackName,
    StackId: stack.stackId,
    Description: stack.description,
    CreationTime: new Date(stack.createdAtMs),
    LastUpdatedTime: new Date(stack.updatedAtMs),
    StackStatus: stack.status,
    Parameters: Object.entries({ ...defaultsOf(stack.template), ...stack.parameters }).map(
      ([ParameterKey, ParameterValue]) => ({
        ParameterKey,
        ParameterValue,
      }),
    ),
    Outputs: stack.outputs.map(({ key, value, description }) => ({
      OutputKey: key,
      OutputValue: value,
      Description: description,
    })),
  };
}

/** AWS shows every parameter of the template with the value that it has, given or not. */
function defaultsOf(template: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(parseTemplate(template).Parameters).flatMap(([name, { Default }]) =>
      Default === undefined ? [] : [[name, String(Default)]],
    ),
  );
}
