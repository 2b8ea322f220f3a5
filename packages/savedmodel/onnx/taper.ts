import type { Floats } from './floats.ts';

/** Weights of pixels by their distance from a place, which is not negative. */
type Taper = (distance: string, arithmetic: Floats) => string;

/** Coefficients of a polynomial, the highest power first. */
function polynomial(x: string, coefficients: readonly number[], { op, number }: Floats): string {
  const [first = 0, ...rest] = coefficients;
  return rest.reduce((sum, coefficient) => op('Add', op('Mul', sum, x), number(coefficient)), number(first));
}

/** `near` up to the distance 1, `far` up to 2, nothing behind. */
const cubic =
  (near: readonly number[], far: readonly number[]): Taper =>
  (x, arithmetic) => {
    const { op, number } = arithmetic;
    const outer = op('Where', op('Less', x, number(2)), polynomial(x, far, arithmetic), number(0));
    return op('Where', op('Less', x, number(1)), polynomial(x, near, arithmetic), outer);
  };

const lanczos =
  (radius: number): Taper =>
  (x, { op, number }) => {
    const turns = op('Mul', x, number(Math.PI));
    const waves = op('Mul', op('Sin', turns), op('Sin', op('Div', turns, number(radius))));
    const square = op('Max', op('Mul', turns, turns), number(1e-9));
    const value = op('Div', op('Mul', number(radius), waves), square);
    const inside = op('Where', op('Greater', x, number(radius)), number(0), value);
    return op('Where', op('LessOrEqual', x, number(1e-3)), number(1), inside);
  };

/** A third of the radius is one standard deviation. */
const gaussian =
  (radius: number): Taper =>
  (x, { op, number }) => {
    const sigma = radius / 3;
    const value = op('Exp', op('Div', op('Mul', x, x), number(-2 * sigma * sigma)));
    return op('Where', op('GreaterOrEqual', x, number(radius)), number(0), value);
  };

const TAPERS: ReadonlyMap<string, Taper> = new Map<string, Taper>([
  [
    'box',
    (x, { op, number }) => {
      const edge = op('Where', op('Equal', x, number(0.5)), number(0.5), number(0));
      return op('Where', op('Less', x, number(0.5)), number(1), edge);
    },
  ],
  ['triangle', (x, { op, number }) => op('Max', op('Sub', number(1), x), number(0))],
  ['lanczos1', lanczos(1)],
  ['lanczos3', lanczos(3)],
  ['lanczos5', lanczos(5)],
  ['gaussian', gaussian(1.5)],
  ['keyscubic', cubic([1.5, -2.5, 0, 1], [-0.5, 2.5, -4, 2])],
  ['mitchellcubic', cubic([7 / 6, -2, 0, 8 / 9], [-7 / 18, 2, -10 / 3, 16 / 9])],
]);

/** The taper that TensorFlow's `ScaleAndTranslate` calls so. */
export function taperOf(kernel: string): Taper | undefined {
  return TAPERS.get(kernel);
}
