import { expect, test } from 'vitest';
import type { RoleSessions } from '../../kernel/permission.ts';
import { invoke, jsonata, localStates } from '../support/local-states.ts';

const ROLE = 'arn:aws:iam::000000000000:role/r';

/** A role that may invoke one function. */
function roles(asked: string[][]): RoleSessions {
  return {
    credentialsOf: (roleArn, name) => ({ accessKeyId: `${roleArn}/${name}`, secretAccessKey: 'test' }),
    refusal: (roleArn, name, [permission]) => {
      asked.push([roleArn, name, permission!.action, permission!.resource]);
      return permission!.resource.endsWith(':known') ? null : `${name} may not`;
    },
  };
}

test('a machine invokes the functions that its role may, and no other', async () => {
  const asked: string[][] = [];
  const invoked: string[] = [];
  const functions = {
    known: () => void invoked.push('known'),
    other: () => void invoked.push('other'),
  };
  const stack = await localStates({ functions, roles: roles(asked) });
  const machine = await stack.machine(
    'm',
    jsonata({ A: invoke('known', { Next: 'B', End: undefined }), B: invoke('other') }),
  );

  const arn = await stack.start(machine);
  await stack.clock.advance(1000);

  expect(await stack.describe(arn)).toMatchObject({
    status: 'FAILED',
    error: 'Lambda.AWSLambdaException',
    cause: expect.stringContaining('states may not'),
  });
  expect(invoked).toEqual(['known']);
  expect(asked).toEqual(
    ['known', 'other'].map((name) => [
      ROLE,
      'states',
      'lambda:InvokeFunction',
      `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
    ]),
  );
  await stack.close();
});

test('a machine reads objects signed as its role', async () => {
  const credentials = { accessKeyId: 'ROLEKEY', secretAccessKey: 'unknown' };
  const anything = { refusal: () => null, credentialsOf: () => credentials };
  const stack = await localStates({ roles: anything });
  const map = {
    Type: 'Map',
    ItemReader: {
      Resource: 'arn:aws:states:::s3:getObject',
      ReaderConfig: { InputType: 'JSON' },
      Arguments: { Bucket: 'b', Key: 'k' },
    },
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'P',
      States: { P: { Type: 'Pass', End: true } },
    },
    End: true,
  };

  const arn = await stack.start(await stack.machine('m', jsonata({ A: map })));
  await expect.poll(async () => (await stack.describe(arn)).status).toBe('FAILED');

  expect((await stack.describe(arn)).cause).toMatch(/does not exist in our records/);
  await stack.close();
});

test('a Distributed Map, however deep, asks to start the machine that it is in', async () => {
  const asked: string[] = [];
  const stack = await localStates({
    roles: {
      ...roles([]),
      refusal: (_role, _name, [permission]) => {
        asked.push(`${permission!.action} ${permission!.resource.split(':').at(-1)!}`);
        return asked.length > 1 ? 'enough' : null;
      },
    },
  });
  const map = (StartAt: string, States: object) => ({
    Type: 'Map',
    Items: [[1]],
    ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }, StartAt, States },
    End: true,
  });
  const inner = { In: map('P', { P: { Type: 'Pass', End: true } }) };
  const { status } = await stack.run(jsonata({ Out: map('In', inner) }));

  expect(status).toBe('FAILED');
  expect(asked).toEqual(['states:StartExecution m1', 'states:StartExecution m1']);
  await stack.close();
});
