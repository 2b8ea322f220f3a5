import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkValue } from '../../service-model/check-value.ts';
import {
  operationOf,
  type ServiceModel,
  serviceModel,
  type Shape,
  shapeOf,
} from '../../service-model/model.ts';
import { sample } from './sample-input.ts';

const MODELS = new URL('../../service-model/models/', import.meta.url);

/** Every place in a call's input, with the shape that stands there; each shape once. */
interface Place {
  readonly path: readonly string[];
  readonly shape: Shape;
  readonly name: string;
}

describe.each(readdirSync(MODELS).map((file) => file.replace('.json', '')))('%s', (service) => {
  const model = serviceModel(service, []);
  const inputs = Object.keys(model.operations).flatMap((operation) => {
    const { input } = operationOf(model, operation);
    return input ? [[operation, input.shape] as const] : [];
  });

  test.each(inputs)('%s takes what it requires, and no less', (_, input) => {
    const value = sample(model, input) as Record<string, unknown>;
    expect(checkValue(model, input, value)).toEqual([]);
    for (const name of shapeOf(model, input).required ?? []) {
      const { [name]: _left, ...rest } = value;
      expect(checkValue(model, input, rest)).toMatchObject([{ kind: 'missing', path: [name] }]);
    }
    expect(checkValue(model, input, { ...value, NoSuchMember: 1 })).toMatchObject([
      { kind: 'unknown', path: ['NoSuchMember'] },
    ]);
  });

  test.each(inputs)('%s refuses each member of another type, length, range, pattern or enum', (_, input) => {
    for (const place of placesOf(model, input)) {
      for (const { value: wrong, kind } of wrongValues(place.shape)) {
        const findings = checkValue(model, place.name, wrong);
        expect(
          findings.map((finding) => finding.kind),
          `${place.path.join('.')} = ${JSON.stringify(wrong)}`,
        ).toContain(kind);
      }
    }
  });
});

function placesOf(model: ServiceModel, input: string): Place[] {
  const places: Place[] = [];
  const seen = new Set<string>();
  const walk = (name: string, path: readonly string[]): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const shape = shapeOf(model, name);
    places.push({ path, shape, name });
    for (const [member, { shape: next }] of Object.entries(shape.members ?? {}))
      walk(next, [...path, member]);
    for (const part of [shape.member, shape.key, shape.value]) if (part) walk(part.shape, [...path, '*']);
  };
  walk(input, []);
  return places;
}

function wrongValues(shape: Shape): { value: unknown; kind: string }[] {
  const wrong: { value: unknown; kind: string }[] = [];
  const refuse = (value: unknown, kind = 'constraint'): void => void wrong.push({ value, kind });
  const isNumber = ['integer', 'long', 'float', 'double'].includes(shape.type);
  if (shape.document !== true)
    refuse(shape.type === 'structure' || shape.type === 'map' ? ['x'] : { x: 1 }, 'type');
  if (['integer', 'long'].includes(shape.type)) refuse(1.5, 'type');
  if (isNumber && shape.max !== undefined) refuse(shape.max + 1);
  if (isNumber && shape.min !== undefined) refuse(shape.min - 1);
  if (shape.type === 'string') {
    if (shape.max !== undefined && shape.max < 1e6) refuse('a'.repeat(shape.max + 1));
    if ((shape.min ?? 0) > 0) refuse('a'.repeat(shape.min! - 1));
    if (shape.enum) refuse('NO-SUCH-VALUE');
  }
  if (shape.type === 'list') {
    if (shape.max !== undefined) refuse(Array.from({ length: shape.max + 1 }, () => 'x'));
    if ((shape.min ?? 0) > 0) refuse([]);
  }
  return wrong;
}
