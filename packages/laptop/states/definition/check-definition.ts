import { AwsError } from '../../kernel/aws-error.ts';
import type { SdkCalls } from '../tasks/sdk-calls.ts';
import { allStates } from './flow.ts';
import { notRecognized } from './integration.ts';
import { parseDefinition } from './parse-definition.ts';
import { type DefinitionProblem, InvalidDefinition, problemOf } from './problem.ts';

/** Every reason for which the stack would not run this definition. */
export async function definitionProblems(
  sdk: SdkCalls,
  definition: string,
): Promise<readonly DefinitionProblem[]> {
  try {
    const problems: DefinitionProblem[] = [];
    for (const state of allStates(parseDefinition(definition))) {
      if (state.Type !== 'Task' || state.integration.kind !== 'aws-sdk') continue;
      const { service, action } = state.integration;
      if (await sdk.has(service, action)) continue;
      problems.push(
        problemOf(
          state,
          'Resource',
          `${notRecognized(state.Resource)} (${service} has no action '${action}'.)`,
        ),
      );
    }
    return problems;
  } catch (error) {
    if (error instanceof InvalidDefinition) return error.problems;
    throw error;
  }
}

/** @throws {AwsError} `InvalidDefinition` with every problem */
export async function checkDefinition(sdk: SdkCalls, definition: string): Promise<void> {
  const problems = await definitionProblems(sdk, definition);
  if (problems.length === 0) return;
  throw new AwsError(
    'InvalidDefinition',
    `Invalid State Machine Definition: '${new InvalidDefinition(problems).message}'`,
  );
}
