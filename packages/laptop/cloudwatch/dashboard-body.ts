import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';
import { jsonOrUndefined } from '../kernel/json.ts';

/** Widgets by the manual's "Dashboard Body Structure and Syntax"; what is drawn in one is not looked at further. */
const Place = {
  x: z.int().min(0).max(23).optional(),
  y: z.int().min(0).optional(),
  width: z.int().min(1).max(24).optional(),
  height: z.int().min(1).max(1000).optional(),
};
const Metric = z.strictObject({
  type: z.literal('metric'),
  ...Place,
  properties: z
    .looseObject({
      region: z.string(),
      metrics: z.array(z.array(z.unknown()).min(1)).max(500).optional(),
      annotations: z.looseObject({}).optional(),
      stat: z.string().optional(),
      period: z.int().min(1).optional(),
    })
    .refine(({ metrics, annotations }) => metrics ?? annotations, 'must have metrics or annotations'),
});
const Other = (type: string) =>
  z.strictObject({ type: z.literal(type), ...Place, properties: z.looseObject({}) });
const Body = z.strictObject({
  start: z.string().optional(),
  end: z.string().optional(),
  periodOverride: z.enum(['auto', 'inherit']).optional(),
  widgets: z
    .array(
      z.discriminatedUnion('type', [Metric, ...['text', 'log', 'alarm', 'explorer', 'custom'].map(Other)]),
    )
    .max(500),
});

/**
 * Checks the body of a dashboard as PutDashboard does.
 *
 * @throws {AwsError} `InvalidParameterInput` naming the problem
 */
export function checkDashboard(body: string): void {
  const refuse = (problem: string): never => {
    throw new AwsError(
      'InvalidParameterInput',
      `The field DashboardBody must be a valid dashboard: ${problem}`,
    );
  };
  const value = jsonOrUndefined(body);
  if (value === undefined) refuse('it is no JSON');
  const { error } = Body.safeParse(value);
  if (error) refuse(error.issues.map(({ path, message }) => `${path.join('/')}: ${message}`).join('; '));
}
