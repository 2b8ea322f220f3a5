import { checkValue } from '../../packages/laptop/service-model/check-value.ts';
import { type ServiceModel, shapeOf } from '../../packages/laptop/service-model/model.ts';
import { sample } from '../../packages/laptop/test/service-model/sample-input.ts';
import type { Chance } from './chance.ts';
import { NUMBERS, TEXTS } from './mutate.ts';

/** Draws an input that AWS's own description allows, with optional members, and odd values where they are allowed. */
export function drawInput(model: ServiceModel, name: string, chance: Chance, depth = 0): unknown {
  const shape = shapeOf(model, name);
  const fits = (value: unknown): boolean => checkValue(model, name, value).length === 0;
  switch (shape.type) {
    case 'structure': {
      const members = Object.entries(shape.members ?? {});
      const taken = shape.union
        ? [chance.oneOf(members)]
        : members.filter(
            ([member]) => shape.required?.includes(member) || chance.happens(depth < 6 ? 0.4 : 0),
          );
      return Object.fromEntries(
        taken.map(([member, { shape: inner }]) => [member, drawInput(model, inner, chance, depth + 1)]),
      );
    }
    case 'list': {
      const count = Math.max(shape.min ?? 0, depth < 6 ? chance.below(3) : 0);
      return Array.from({ length: count }, () => drawInput(model, shape.member!.shape, chance, depth + 1));
    }
    case 'map': {
      const count = Math.max(shape.min ?? 0, depth < 6 ? chance.below(3) : 0);
      return Object.fromEntries(
        Array.from({ length: count }, () => [
          String(drawInput(model, shape.key!.shape, chance, depth + 1)),
          drawInput(model, shape.value!.shape, chance, depth + 1),
        ]),
      );
    }
    case 'string': {
      if (shape.enum) return chance.oneOf(shape.enum);
      const text = chance.oneOf(TEXTS);
      return fits(text) ? text : sample(model, name);
    }
    case 'boolean':
      return chance.happens(0.5);
    case 'timestamp':
      return chance.oneOf([0, 1, 1_700_000_000, 4_000_000_000]);
    case 'integer':
    case 'long':
    case 'float':
    case 'double': {
      const number = chance.oneOf([...NUMBERS, shape.min ?? 0, shape.max ?? 0]);
      return fits(number) ? number : sample(model, name);
    }
    default:
      return sample(model, name);
  }
}
