import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EndpointContent } from '../../../src/endpoint/content.ts';
import {
  toCandidateName,
  toEndpointConfigName,
  toEndpointModelName,
  toEndpointName,
  toNameStem,
  toVariantName,
} from '../../../src/endpoint/names.ts';

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
