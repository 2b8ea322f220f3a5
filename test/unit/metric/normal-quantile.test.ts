import { expect, test } from 'vitest';
import { normalQuantile } from '../../../src/metric/normal-quantile.ts';

/** Values of `statistics.NormalDist().inv_cdf` of Python 3.11. */
test.each([
  [0.5, 0],
  [0.8, 0.8416212335729144],
  [0.95, 1.6448536269514715],
  [0.975, 1.9599639845400536],
  [0.9999, 3.7190164854557084],
  [0.05, -1.6448536269514726],
  [0.07499, -1.4396021182393162],
  [0.0751, -1.4388253927525398],
  [0.001, -3.090232306167813],
  [1e-12, -7.034483825301132],
])('the quantile of %d is %d', (probability, quantile) => {
  expect(normalQuantile(probability)).toBeCloseTo(quantile, 13);
});

test.each([0, 1, -1, Number.NaN])('%d has no quantile', (probability) => {
  expect(() => normalQuantile(probability)).toThrow(`must be between 0 and 1, is ${probability}`);
});
