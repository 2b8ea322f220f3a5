import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const NAMESPACE = 'xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"';

let cloudFormation: Server;
afterEach(() => void cloudFormation.close());

test('a first deployment gives the template that holds only the bucket no parameters', async () => {
  const asked: URLSearchParams[] = [];
  cloudFormation = createServer((request, response) => {
    void text(request).then((body) => {
      const form = new URLSearchParams(body);
      asked.push(form);
      const { status, answer } = answerTo(form);
      response.writeHead(status, { 'content-type': 'text/xml' }).end(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(cloudFormation, 'listening');
  const { port } = cloudFormation.address() as AddressInfo;

  const deploy = spawn(
    process.execPath,
    ['scripts/deploy.mjs', 'deploy', '--stage', 'first', '--param', 'notificationEmail=team@example.com'],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        SLS_AWS_MONITORING_FREQUENCY: '10',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [said] = await Promise.all([
    Promise.all([text(deploy.stdout), text(deploy.stderr)]),
    once(deploy, 'close'),
  ]);

  expect(said.join('')).toContain('AWS::S3::Bucket was not made');
  const created = asked.find((form) => form.get('Action') === 'CreateChangeSet');
  expect(created?.get('ChangeSetType')).toBe('CREATE');
}, 60_000);

/** Answers up to the events of the first template; refuses parameters that a template does not declare, as CloudFormation does. */
function answerTo(form: URLSearchParams): { readonly status: number; readonly answer: string } {
  const result = (content: string) => ({
    status: 200,
    answer: `<R ${NAMESPACE}><${form.get('Action')}Result>${content}</${form.get('Action')}Result></R>`,
  });
  const refused = (message: string) => ({
    status: 400,
    answer: `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message></Error></ErrorResponse>`,
  });
  switch (form.get('Action')) {
    case 'GetCallerIdentity':
      return result(
        '<Arn>arn:aws:iam::000000000000:root</Arn><UserId>root</UserId><Account>000000000000</Account>',
      );
    case 'CreateChangeSet': {
      const { Parameters } = JSON.parse(form.get('TemplateBody') ?? '{}');
      return Parameters === undefined &&
        [...form.keys()].some((name) => name.startsWith('Parameters.member.'))
        ? refused('Parameter values specified for a template which does not require them.')
        : result('<Id>change-set</Id><StackId>stack</StackId>');
    }
    case 'DescribeChangeSet':
      return result('<Status>CREATE_COMPLETE</Status><StackId>stack</StackId>');
    case 'ExecuteChangeSet':
      return result('');
    case 'DescribeStackEvents':
      return result(
        '<StackEvents><member><EventId>1</EventId><StackName>s</StackName><LogicalResourceId>s</LogicalResourceId>' +
          '<ResourceType>AWS::S3::Bucket</ResourceType><ResourceStatus>CREATE_FAILED</ResourceStatus>' +
          '<ResourceStatusReason>AWS::S3::Bucket was not made</ResourceStatusReason></member></StackEvents>',
      );
    default:
      return refused('Stack with id s does not exist');
  }
}
