/** Name of a network with a measured cost. */
export type Network = 'cnn' | 'resnet50';

/**
 * CPU seconds for ten million inputs and peak memory of the heavy steps, by `npm run lab -- scale 10000000 8`
 * (2026-11-22, two busy cores) and, `of bundles`, by ten times `npm run lab -- scale 1000000 8 bundles` (2026-11-26,
 * busier): all calls of a function, for fold-predictions the longest of the eight shards that were folded; copies of
 * their tallies stood for the others'.
 */
export const MEASURED = {
  'settle-drop': { cpuSeconds: 171.9, peakMiB: 374, basis: '10,000,000 inputs' },
  'plan-run': { cpuSeconds: 112.1, peakMiB: 707, basis: '10,000,000 inputs and labels' },
  'plan-run of bundles': { cpuSeconds: 229, peakMiB: 671, basis: '1,000,000 inputs and labels' },
  'reconcile-outputs': { cpuSeconds: 341.9, peakMiB: 442, basis: '10,000,000 inputs, 21 jobs' },
  'reconcile-outputs of bundles': { cpuSeconds: 411, peakMiB: 431, basis: '1,000,000 inputs, 3 jobs' },
  'fold-predictions': { cpuSeconds: 4.4, peakMiB: 276, basis: 'one shard of 5,000, 10 classes' },
  'fold-predictions of bundles': { cpuSeconds: 0.6, peakMiB: 227, basis: 'one shard of 5,000, 10 classes' },
  'write-report': { cpuSeconds: 2.3, peakMiB: 240, basis: '2,000 tallies, 10 classes' },
} as const;

/**
 * Single-precision rate of one core in GFLOP/s: what ResNet-50, with 8.2 GFLOP an image, reached on the x86-64 cores of these
 * measurements, and bounds of Lambda's arm64 processors, which AWS doesn't name: the peak of Graviton3 and 4 (lanes × FMA × clock),
 * and 65 % of Graviton2's peak of 40.
 */
export const GFLOPS = { ofResnet50: 8.2, measured: 8.2 / 0.086_5, fastest: 83, slowest: 0.65 * 40 } as const;

/** Processor time for each input (2026-11-26, busy x86-64 cores). It prices Lambda's processors only with the bounds of `GFLOPS`. */
export const PREDICTING = {
  /** Measured by `npm run bench -- requests`. */
  readCpuSeconds: 0.000_84,
  indexCpuSeconds: 0.001_14,
  /** Measured on random weights, with PNG files of the network's size. */
  networks: {
    cnn: { cpuSeconds: 0.000_77, classes: 10, name: 'the network of examples/cifar10' },
    resnet50: { cpuSeconds: 0.086_5, classes: 1_000, name: 'ResNet-50' },
  },
  /** Inputs that a container answers in bundles in the time of a single one: `npm run bench -- images`. */
  bundledGain: 2.6,
} as const;

/**
 * Runs of members of tars for engine lambda, by `npm run lab -- scale N 8 tars` (2026-11-27, two busy cores): the
 * longest call of each function in CPU seconds, and its peak memory in MiB.
 */
export const COUNTED = [
  {
    inputs: 50_000,
    mapItems: 111,
    longestItem: 442,
    longestState: 248,
    events: 94,
    plan: [1.5, 234],
    predict: [0.1, 181],
    check: [0.1, 160],
    reconcile: [1, 311],
    fold: [0.4, 198],
    report: [0.6, 148],
  },
  {
    inputs: 1_000_000,
    mapItems: 2_201,
    longestItem: 442,
    longestState: 251,
    events: 121,
    plan: [19.8, 343],
    predict: [0.1, 169],
    check: [0.9, 198],
    reconcile: [12.6, 439],
    fold: [0.4, 203],
    report: [2.5, 283],
  },
] as const;
