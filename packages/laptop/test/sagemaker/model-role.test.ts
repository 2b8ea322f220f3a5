import { describe, expect, it } from 'vitest';
import type { Permission } from '../../kernel/permission.ts';
import { prepareModel } from '../../sagemaker/endpoint/prepare-model.ts';
import { objectsAsRole } from '../../sagemaker/objects-as-role.ts';
import { localSite } from '../support/local-gateway.ts';
import { memoryObjects } from '../support/memory-objects.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { localTransforms } from './local-sagemaker.ts';

/** Roles that may do all but one thing. */
const allBut = (action: string) => ({
  credentialsOf: () => ({ accessKeyId: 'a', secretAccessKey: 'test' }),
  refusal: (_role: string, name: string, [permission]: readonly Permission[]) =>
    permission?.action === action ? `${name} may not ${action} on ${permission.resource}` : null,
});

describe('a container may touch what the role of its model may', () => {
  it.each([
    ['s3:ListBucket', 'arn:aws:s3:::bucket', []],
    ['s3:GetObject', 'arn:aws:s3:::bucket/in/a', []],
    ['s3:PutObject', 'arn:aws:s3:::bucket/out/a.out', []],
  ])('without %s its job fails, naming it', async (action, resource, created) => {
    const stack = await localTransforms(() => 'ok', { roles: allBut(action) });
    stack.objects.put('in/a', 'a');

    const job = await stack.run('refused');

    expect(job.TransformJobStatus).toBe('Failed');
    expect(`${job.FailureReason} ${stack.logLines.join(' ')}`).toContain(
      `SageMaker may not ${action} on ${resource}`,
    );
    expect(stack.objects.created).toEqual(created);
    await stack.close();
  });

  it('without s3:GetObject on the archive its endpoint fails, naming it', async () => {
    const objects = memoryObjects();
    const model: any = {
      input: {
        ExecutionRoleArn: 'arn:aws:iam::000000000000:role/r',
        PrimaryContainer: { Image: 'i', ModelDataUrl: 's3://bucket/model.tar.gz' },
      },
    };
    const dir = temporaryFolder('role-');
    const limited = objectsAsRole(objects, model.input.ExecutionRoleArn, localSite, allBut('s3:GetObject'));

    await expect(prepareModel(limited, dir, model)).rejects.toMatchObject({
      name: 'EndpointFailure',
      message: 'SageMaker may not s3:GetObject on arn:aws:s3:::bucket/model.tar.gz',
    });
  });
});
