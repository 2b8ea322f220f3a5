import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { queryService } from '../../kernel/query-service.ts';
import { problemsOf } from '../../service-model/check-answer.ts';
import { serviceModel } from '../../service-model/model.ts';
import { localGateway } from '../support/local-gateway.ts';

const problems = (
  service: string,
  operation: string,
  body: unknown,
  headers: Record<string, string> = {},
  status = 200,
) =>
  problemsOf(
    { model: serviceModel(service, [operation]), operation },
    { status, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) },
  );

test('JSON: what is missing, unknown, of another type, or outside an enum', () => {
  expect(problems('sqs', 'CreateQueue', { QueueUrl: 'u' })).toEqual([]);
  expect(problems('sqs', 'CreateQueue', { QueueUrl: 1 })).toEqual([
    'sqs CreateQueue answers QueueUrl = 1: NUMBER_VALUE can not be converted to a String',
  ]);
  expect(problems('sqs', 'CreateQueue', { Url: 'u' })).toEqual([
    'sqs CreateQueue answers Url = "u": no such member, but QueueUrl',
  ]);
  expect(problems('sqs', 'DeleteQueue', { Url: 'u' })).toEqual([
    'sqs DeleteQueue answers Url = "u": no such member, but none',
  ]);
  expect(
    problems('states', 'ListStateMachines', {
      stateMachines: [{ stateMachineArn: 'a', name: 'n', type: 'FAST', creationDate: '2026-01-01' }],
    }),
  ).toEqual([
    'states ListStateMachines answers stateMachines[0].type = "FAST": Member must satisfy enum value set: [STANDARD, EXPRESS]',
    'states ListStateMachines answers stateMachines[0].creationDate = "2026-01-01": STRING_VALUE can not be converted to a Timestamp',
  ]);
});

test('Query: lists, maps and the result around them', () => {
  const attributes = (entry: string): string =>
    `<GetTopicAttributesResponse><GetTopicAttributesResult><Attributes><entry>${entry}</entry></Attributes></GetTopicAttributesResult>` +
    '<ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></GetTopicAttributesResponse>';
  expect(problems('sns', 'GetTopicAttributes', attributes('<key>k</key><value>v</value>'))).toEqual([]);
  expect(problems('sns', 'GetTopicAttributes', attributes('<key>k</key>'))).toHaveLength(1);
  const topics = (member: string): string =>
    `<ListTopicsResponse><ListTopicsResult><Topics>${member}</Topics></ListTopicsResult></ListTopicsResponse>`;
  expect(problems('sns', 'ListTopics', topics('<member><TopicArn>a</TopicArn></member><member/>'))).toEqual(
    [],
  );
  expect(problems('sns', 'ListTopics', topics('<member><Arn>a</Arn></member>'))).toEqual([
    'sns ListTopics answers Topics[0].Arn = "a": no such member, but TopicArn',
  ]);
});

test('S3: headers, flattened lists, and an answer that is its only member', () => {
  const listing = (more: string): string =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult ` +
    `xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>${more}</ListBucketResult>`;
  const object =
    '<Contents><Key>k</Key><Size>1</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>';
  expect(problems('s3', 'ListObjectsV2', listing(object + object))).toEqual([]);
  expect(
    problems('s3', 'ListObjectsV2', listing('<Contents><Key>k</Key><Size>big</Size></Contents>')),
  ).toEqual([
    's3 ListObjectsV2 answers Contents[0].Size = "big": STRING_VALUE can not be converted to a Long',
  ]);
  expect(problems('s3', 'ListObjectsV2', listing('<Content/>'))).toHaveLength(1);
  expect(problems('s3', 'PutObject', '', { etag: '"e"', 'x-amz-version-id': 'v' })).toEqual([]);
  expect(problems('s3', 'PutObject', '', { 'x-amz-version': 'v' })).toHaveLength(1);
  expect(problems('s3', 'GetBucketLocation', '<LocationConstraint>eu-west-1</LocationConstraint>')).toEqual(
    [],
  );
  expect(problems('s3', 'GetBucketLocation', '<LocationConstraint>moon-1</LocationConstraint>')).toHaveLength(
    1,
  );
  expect(problems('s3', 'GetObject', 'bytes', { 'content-length': '5' })).toEqual([]);
});

test('an error is not looked into', () => {
  expect(problems('sqs', 'CreateQueue', { __type: 'X', message: 'm' }, {}, 400)).toEqual([]);
});

test('the gateway reports what is wrong in a service’s answers', async () => {
  const reported: string[] = [];
  const gateway = await localGateway(
    () => [
      queryService({
        name: 'sts',
        apiVersion: '2011-06-15',
        xmlns: 'https://sts.amazonaws.com/doc/2011-06-15/',
        actions: [
          action('GetCallerIdentity', {
            input: z.unknown(),
            run: () => ({ Account: '000000000000', Nickname: 'me' }),
          }),
        ],
      }),
    ],
    { onBadAnswer: (problem) => void reported.push(problem) },
  );
  await new STSClient(gateway.client).send(new GetCallerIdentityCommand({}));
  expect(reported).toEqual([
    'sts GetCallerIdentity answers Nickname = "me": no such member, but UserId, Account, Arn',
  ]);
  await gateway.close();
});
