import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EndpointContent, toCandidateContent } from '../../../src/endpoint/content.ts';
import {
  toCandidateName,
  toEndpointConfigName,
  toEndpointModelName,
  toEndpointName,
  toNameStem,
  toVariantName,
} from '../../../src/endpoint/names.ts';
import { candidateOf, isOurs, toCandidateTags, toTags } from '../../../src/endpoint/tags.ts';
import type { HardwareSettings } from '../../../src/endpoints/kind.ts';
import { endpointKind, kindFor } from '../../../src/endpoints/kinds.ts';

const owner = { prefix: 'inferdrop-dev', bucket: 'bucket' };
const content: EndpointContent = {
  model: {
    sha256: 'a'.repeat(64),
    imageUri: 'image',
    environment: { A: '1', B: '2' },
    executionRoleArn: 'role',
    vpc: null,
  },
  hardware: {
    kind: 'instance',
    instanceType: 'ml.m5.xlarge',
    initialInstanceCount: 1,
    acceleratorType: null,
  },
  kmsKeyArn: null,
};

test('the same content has the same names, in whatever order it is written', () => {
  const reordered = { ...content, model: { ...content.model, environment: { B: '2', A: '1' } } };
  expect(toEndpointConfigName(owner, 'p', reordered)).toBe(toEndpointConfigName(owner, 'p', content));
  expect(toVariantName(reordered)).toBe(toVariantName(content));
});

test('other hardware is another configuration of the same model', () => {
  const larger: EndpointContent = {
    ...content,
    hardware: { kind: 'serverless', memorySizeInMB: 4096, maxConcurrency: 5 },
  };
  expect(toEndpointConfigName(owner, 'p', larger)).not.toBe(toEndpointConfigName(owner, 'p', content));
  expect(toEndpointModelName(owner, 'p', larger)).toBe(toEndpointModelName(owner, 'p', content));
});

test('every name is one that SageMaker takes, and begins as its permissions say', () => {
  const pipeline = fc.stringMatching(/^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$/);
  fc.assert(
    fc.property(pipeline, fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,19}$/), (name, stage) => {
      const of = { prefix: `inferdrop-${stage}`, bucket: 'bucket' };
      const names = [
        toEndpointName(of, name),
        toEndpointConfigName(of, name, content),
        toEndpointModelName(of, name, content),
      ];
      const candidate = toCandidateName(of, name);
      expect(new Set([...names, candidate]).size).toBe(4);
      expect(candidate).toContain('-candidate-');
      for (const one of [...names, candidate]) {
        expect(one).toMatch(/^[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}$/);
        expect(one.startsWith(`inferdrop-${stage}-`)).toBe(true);
      }
      for (const one of names) expect(one.startsWith(toNameStem(of, name))).toBe(true);
    }),
  );
});

test('names are those of this deployment, of this pipeline and of this content alone', () => {
  const names = (of: typeof owner, pipeline: string, made: EndpointContent) => [
    toEndpointName(of, pipeline),
    toCandidateName(of, pipeline),
    toEndpointModelName(of, pipeline, made),
    toEndpointConfigName(of, pipeline, made),
  ];
  const own = names(owner, 'p', content);
  const retrained = { ...content, model: { ...content.model, sha256: 'b'.repeat(64) } };
  const others = [
    ...names({ ...owner, bucket: 'other' }, 'p', content),
    ...names(owner, 'P', content),
    ...names(owner, 'p', retrained).slice(2),
  ];
  expect(new Set([...own, ...others]).size).toBe(14);
  expect([toVariantName(content), toVariantName(retrained)]).toEqual([
    expect.stringMatching(/^v-[0-9a-f]{12}$/),
    expect.not.stringMatching(toVariantName(content)),
  ]);
  expect(names(owner, 'p'.repeat(64), content).map(({ length }) => length)).toEqual([63, 63, 63, 63]);
});

const PLANNED = {
  type: 'instance',
  instanceType: 'ml.m5.xlarge',
  initialInstanceCount: 3,
  acceleratorType: null,
  amiVersion: null,
  memorySizeInMB: 4096,
  maxConcurrency: 7,
} as const;

test.each([
  [
    {},
    { kind: 'instance', instanceType: 'ml.m5.xlarge', initialInstanceCount: 3, acceleratorType: null },
    '3 × ml.m5.xlarge',
  ],
  [
    { amiVersion: 'ami', acceleratorType: 'ml.eia2.medium' },
    {
      kind: 'instance',
      instanceType: 'ml.m5.xlarge',
      initialInstanceCount: 3,
      amiVersion: 'ami',
      acceleratorType: 'ml.eia2.medium',
    },
    '3 × ml.m5.xlarge with ml.eia2.medium',
  ],
  [
    { type: 'serverless' as const },
    { kind: 'serverless', memorySizeInMB: 4096, maxConcurrency: 7 },
    'serverless, 4096 MB, 7 at once',
  ],
])('a plan with %j asks for %j', (change, hardware, words) => {
  const settings = { ...PLANNED, ...change } as HardwareSettings;
  const asked = kindFor(settings).toHardware(settings);
  expect(asked).toEqual(hardware);
  expect(endpointKind(asked.kind).describe(asked)).toBe(words);
  const { hardware: tested, ...rest } = toCandidateContent({ ...content, hardware: asked });
  expect(tested).toEqual(asked.kind === 'serverless' ? asked : { ...asked, initialInstanceCount: 1 });
  expect({ ...rest, hardware: content.hardware }).toEqual(content);
});

test('tags say whose an endpoint is, and whether it is a candidate', () => {
  const about = { application: 'bucket', pipeline: 'p', run: 'p/d/000001', modelSha256: 'a'.repeat(64) };
  const tags = toTags({ ...about, owner: null, expiresAt: null });
  expect(tags).toEqual({
    'inferdrop:application': 'bucket',
    'inferdrop:pipeline': 'p',
    'inferdrop:run': 'p/d/000001',
    'inferdrop:sha256': 'a'.repeat(64),
    'inferdrop:owner': 'unknown',
    'inferdrop:expires-at': 'never',
  });
  expect(toTags({ ...about, owner: 'ann', expiresAt: '2026-01-01' })).toMatchObject({
    'inferdrop:owner': 'ann',
    'inferdrop:expires-at': '2026-01-01',
  });
  const tested = toCandidateTags({ ...about, owner: null, expiresAt: null }, 'arn:1');
  expect(tested).toMatchObject(tags);
  expect([candidateOf(tags), candidateOf(tested)]).toEqual([undefined, 'arn:1']);
  expect([isOurs(tags, 'bucket'), isOurs(tags, 'other'), isOurs({}, 'bucket')]).toEqual([true, false, false]);
});

test('names outlive a release: the next one finds what this one deployed', () => {
  const vpc = { subnets: ['b', 'a'], securityGroups: ['sg'] };
  const networked = { ...content, model: { ...content.model, vpc } };
  expect([
    toEndpointName(owner, 'p'),
    toCandidateName(owner, 'p'),
    toEndpointModelName(owner, 'p', networked),
    toEndpointConfigName(owner, 'p', networked),
    toVariantName(networked),
  ]).toEqual([
    'inferdrop-dev-p-a81a7e167022',
    'inferdrop-dev-p-candidate-81cb1bf0bbbb',
    'inferdrop-dev-p-dde84902a3dc',
    'inferdrop-dev-p-b960abcfc243',
    'v-f9358ece2bfa',
  ]);
});
