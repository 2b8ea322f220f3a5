import * as z from 'zod';
import type { StatesDeps } from './deps.ts';
import { Paging, pageOf } from './page.ts';

const Input = z.strictObject(Paging);

/** By name. */
export function listStateMachines({ machines }: StatesDeps) {
  return (raw: unknown): unknown => {
    const { page, nextToken } = pageOf(machines.all(), ({ arn }) => arn, Input.parse(raw));
    const stateMachines = page.map(({ arn, name, createdMs }) => ({
      stateMachineArn: arn,
      name,
      type: 'STANDARD',
      creationDate: createdMs / 1000,
    }));
    return { stateMachines, nextToken };
  };
}
