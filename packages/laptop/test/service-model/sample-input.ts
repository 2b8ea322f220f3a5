import fc from 'fast-check';
import { type ServiceModel, type Shape, shapeOf } from '../../service-model/model.ts';
import { compilePattern } from '../../service-model/pattern.ts';

/** Texts that satisfy most patterns; the others are found by fast-check. */
const TEXTS = [
  'a',
  'aa',
  'abcdefgh',
  'arn:aws:iam::123456789012:role/name',
  'arn:aws:sagemaker:us-east-1:123456789012:endpoint/name',
  's3://bucket/key',
  'us-east-1',
  '/metrics',
];

/** A value with nothing but what the shape requires. */
export function sample(model: ServiceModel, name: string): unknown {
  const shape = shapeOf(model, name);
  switch (shape.type) {
    case 'structure': {
      const members = shape.members ?? {};
      const needed = shape.union ? Object.keys(members).slice(0, 1) : (shape.required ?? []);
      return Object.fromEntries(needed.map((member) => [member, sample(model, members[member]!.shape)]));
    }
    case 'list':
      return Array.from({ length: shape.min ?? 0 }, () => sample(model, shape.member!.shape));
    case 'map':
      return Object.fromEntries(
        Array.from({ length: shape.min ?? 0 }, () => [
          sample(model, shape.key!.shape),
          sample(model, shape.value!.shape),
        ]),
      );
    case 'string':
      return sampleText(shape);
    case 'blob':
      return Buffer.alloc(shape.min ?? 0, 'a').toString('base64');
    case 'boolean':
      return true;
    case 'integer':
    case 'long':
    case 'float':
    case 'double':
      return shape.min ?? Math.min(1, shape.max ?? 1);
    case 'timestamp':
      return 1_700_000_000;
  }
}

function sampleText(shape: Shape): string {
  if (shape.enum) return shape.enum[0]!;
  const fits = (text: string): boolean =>
    text.length >= (shape.min ?? 0) &&
    text.length <= (shape.max ?? Infinity) &&
    (shape.pattern === undefined || compilePattern(shape.pattern)(text));
  const found = [...TEXTS, 'a'.repeat(shape.min ?? 1)].find(fits);
  if (found !== undefined) return found;
  const source = `^(?:${shape.pattern})$`;
  return fc.sample(fc.stringMatching(new RegExp(source)).filter(fits), { numRuns: 1, seed: 1 })[0]!;
}
