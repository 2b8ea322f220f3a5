/** The call that a Task's Resource names. */
export type Integration = (typeof INTEGRATIONS)[number];

const INTEGRATIONS = ['lambda:invoke', 'states:startExecution'] as const;

/** A Resource that AWS or the stack does not run; the message names it. */
export class UnsupportedResource extends Error {
  override readonly name = 'UnsupportedResource';
}

/** @throws {UnsupportedResource} */
export function readIntegration(resource: string): Integration {
  if (!resource.startsWith('arn:')) throw new UnsupportedResource('Value is not a valid resource ARN');
  const call = /^arn:[\w-]+:states:::(.+)$/.exec(resource)?.[1];
  const integration = INTEGRATIONS.find((known) => known === call);
  if (integration !== undefined) return integration;
  throw new UnsupportedResource(
    `The resource provided ${resource} is not recognized. The value is not a valid resource ARN, or the resource is ` +
      `not available in this region. (The local stack does not emulate ${resource} in a Task: it runs ` +
      'arn:aws:states:::lambda:invoke and arn:aws:states:::states:startExecution, without .sync and without ' +
      '.waitForTaskToken.)',
  );
}
