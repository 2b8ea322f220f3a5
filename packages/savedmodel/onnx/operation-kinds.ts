import { ASSERTIONS } from './assertion.ts';
import { BLOCK_REARRANGEMENTS } from './block-rearrangement.ts';
import { BRANCHES } from './branches.ts';
import { COLOURS } from './colour.ts';
import { COMPLEX_NUMBERS } from './complex.ts';
import type { Converter } from './conversion.ts';
import { CONVOLUTIONS } from './convolution.ts';
import { DIAGONALS } from './diagonals.ts';
import { ELEMENTWISE } from './elementwise-operations.ts';
import { FAKE_QUANTISATIONS } from './fake-quantisation.ts';
import { GATHERINGS } from './gathering.ts';
import { LOOPS } from './loops.ts';
import { MATRICES } from './matrix.ts';
import { NORMALISATIONS } from './normalisation.ts';
import { PADDINGS } from './padding.ts';
import { PARTS } from './parts.ts';
import { PATCHES } from './patches.ts';
import { POOLINGS } from './pooling.ts';
import { REARRANGEMENTS } from './rearranging.ts';
import { REDUCTIONS } from './reduction.ts';
import { RESAMPLINGS } from './resampling.ts';
import { RESIZINGS } from './resizing.ts';
import { SCATTERINGS } from './scattering.ts';
import { SELECTIONS } from './selecting.ts';
import { SHAPES } from './shape.ts';
import { SIGN_BITS } from './sign-bit.ts';
import { SLICINGS } from './slicing.ts';
import { SPECIAL_FUNCTIONS } from './special-functions.ts';
import { SUPPRESSIONS } from './suppression.ts';
import { TENSOR_LISTS } from './tensor-lists.ts';
import { VOLUMES } from './volumes.ts';

/** Operations of one kind: their converters, and what docs/models.md says of them. */
export interface OperationKind {
  readonly title: string;
  readonly converters: Readonly<Record<string, Converter>>;
  /** Element types and layouts that are converted. */
  readonly takes: string;
  /** Forms that are refused, stop the run, or differ, by the operations that it is true of; no names are all of the kind. */
  readonly limits: readonly (readonly [operations: string, limit: string])[];
}

const ALL = 'all element types';
const IMAGES = 'channels last and first';

/** Every operation that is converted, once. */
export const OPERATION_KINDS: readonly OperationKind[] = [
  {
    title: 'Convolutions',
    converters: CONVOLUTIONS,
    takes: `float32; ${IMAGES}; in groups; strides, dilations, and the paddings SAME, VALID and EXPLICIT`,
    limits: [
      ['Conv2D DepthwiseConv2dNative Conv2DBackpropInput', 'float64 and integers are refused'],
      ['DepthwiseConv2dNative', 'a computed filter must have a known number of channels'],
      ['Conv2D', 'in groups only where the graph says how many channels the images have'],
      ['Conv2DBackpropInput', 'dilations are refused: TensorFlow has no such kernel on processors'],
      [
        'Conv2D DepthwiseConv2dNative',
        'images smaller than a VALID window end the run; TensorFlow answers nothing',
      ],
    ],
  },
  {
    title: 'Volumes and videos',
    converters: VOLUMES,
    takes: 'float32; channels last and first; SAME and VALID',
    limits: [
      [
        '',
        'SAME with a stride at least 2 above the window is refused where pixels before the first window would be left out: TensorFlow’s answer depends on whether oneDNN is on',
      ],
      ['MaxPool3D', 'NaN or minus infinity ends the run; TensorFlow passes over them'],
      ['Conv3D Conv3DBackpropInputV2', 'the filter must be a constant or a variable'],
      ['Conv3DBackpropInputV2', 'dilations are refused'],
    ],
  },
  {
    title: 'Pools',
    converters: POOLINGS,
    takes: `float32; MaxPool of float64, int32, int8, uint8 too; ${IMAGES}`,
    limits: [
      ['AvgPool', 'float64 is refused'],
      ['MaxPool', 'NaN or minus infinity among images of float32 ends the run; TensorFlow passes over them'],
      ['', 'images smaller than a VALID window end the run; TensorFlow answers nothing'],
    ],
  },
  {
    title: 'Normalisation',
    converters: NORMALISATIONS,
    takes: `float32; ${IMAGES}`,
    limits: [['LRN', 'infinities and NaN end the run']],
  },
  {
    title: 'Blocks of pixels and channels',
    converters: BLOCK_REARRANGEMENTS,
    takes: `all element types but int64 and uint64; ${IMAGES}`,
    limits: [],
  },
  {
    title: 'Sizes of images',
    converters: RESIZINGS,
    takes: 'all numbers; half-pixel centres, aligned corners, neither; sizes known or computed',
    limits: [],
  },
  {
    title: 'Sizes of images by more pixels',
    converters: RESAMPLINGS,
    takes:
      'all numbers; sizes known or computed; every taper of ScaleAndTranslate, with antialiasing and without',
    limits: [
      ['ResizeBicubic ResizeArea ScaleAndTranslate', 'an infinity or NaN spreads over its rows and columns'],
    ],
  },
  {
    title: 'Colours',
    converters: COLOURS,
    takes: 'float32; RGBToHSV and HSVToRGB also float64',
    limits: [],
  },
  {
    title: 'Windows of images',
    converters: PATCHES,
    takes: 'all numbers',
    limits: [['', 'images far smaller than a VALID window end the run, as in TensorFlow']],
  },
  {
    title: 'Boxes',
    converters: SUPPRESSIONS,
    takes: 'float32, float16',
    limits: [['NonMaxSuppressionV5', 'a sigma above 0 (soft suppression) is refused']],
  },
  {
    title: 'Element by element',
    converters: ELEMENTWISE,
    takes: 'all element types that TensorFlow has kernels for, with broadcasting',
    limits: [
      ['Erf Erfc', 'float64 is refused'],
      ['Round', 'integers are refused'],
      ['Pow', 'of integers only with one constant exponent from 0 to 64'],
      ['Div FloorDiv FloorMod', 'a division of integers by zero ends the run; by a constant it is refused'],
      [
        'Div RealDiv',
        'of floats by a constant: TensorFlow multiplies by the rounded reciprocal, so that the last bit may differ, and what rounds behind it, such as `Floor`, by one',
      ],
      [
        'Cast',
        'floats that do not fit 8 or 16 bits or a uint32 end the run: TensorFlow saturates some elements of a tensor and wraps others around',
      ],
      [
        '',
        'for numbers below 1.2e-38 nothing is promised: TensorFlow takes them for zero by their place in the tensor',
      ],
    ],
  },
  {
    title: 'Special functions',
    converters: SPECIAL_FUNCTIONS,
    takes:
      'float32; Expm1, IsFinite, Xlogy, Xlog1py, Xdivy, MulNoNan, L2Loss also float64; bits of all integers',
    limits: [['Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Atan2', 'float64 is refused']],
  },
  {
    title: 'Diagonals',
    converters: DIAGONALS,
    takes: 'all numbers; the main diagonal',
    limits: [
      [
        'MatrixDiagV2 MatrixDiagV3 MatrixSetDiagV2 MatrixSetDiagV3 MatrixDiagPartV2 MatrixDiagPartV3',
        'other diagonals than the main one are refused',
      ],
      ['MatrixDiagV2 MatrixDiagV3', 'a given number of rows or columns is refused'],
      ['MatrixSetDiag MatrixSetDiagV2 MatrixSetDiagV3', 'booleans and integers of 16 bits are refused'],
      ['MatrixSetDiag MatrixSetDiagV2 MatrixSetDiagV3', 'the rank of the diagonal must be known'],
      ['MatrixDiagPart MatrixDiagPartV2 MatrixDiagPartV3', 'the rank must be known'],
    ],
  },
  {
    title: 'Complex numbers, Fourier transforms',
    converters: COMPLEX_NUMBERS,
    takes:
      'complex64 between one operation and the next; sums, differences, products, quotients, powers of e, and whatever moves elements, of complex numbers',
    limits: [
      ['', 'complex128 is refused, and complex numbers in a signature, a loop or a branch'],
      ['RFFT IRFFT FFT IFFT', 'of 4,096 values at most, a known number'],
    ],
  },
  {
    title: 'Matrices',
    converters: MATRICES,
    takes: 'float32, float64, int32, int64',
    limits: [
      ['BatchMatMul BatchMatMulV2 BatchMatMulV3', 'matrices without columns end the run'],
      ['Einsum', 'letters and an ellipsis'],
    ],
  },
  {
    title: 'Reductions, softmax, sums',
    converters: REDUCTIONS,
    takes: 'all numbers; Softmax and LogSoftmax floats',
    limits: [
      [
        'Softmax',
        'rows with NaN or infinity are NaN, as in TensorFlow without oneDNN; with it, TensorFlow answers some of their elements with 0',
      ],
      ['ArgMax ArgMin', 'the axis must be a constant'],
      ['ArgMax ArgMin', 'tensors without elements and of open rank end the run along an axis from the back'],
      ['TopKV2', 'NaN ends the run: it has no place in TensorFlow’s order'],
      ['Prod', 'a product of integers above 2^53 ends the run'],
    ],
  },
  {
    title: 'Shapes and fillings',
    converters: SHAPES,
    takes: ALL,
    limits: [
      ['ExpandDims Transpose', 'axes must be constants'],
      ['Range', 'float32, float64, int16, int32, int64'],
    ],
  },
  {
    title: 'Parts put together and taken apart',
    converters: PARTS,
    takes: ALL,
    limits: [['Concat ConcatV2 Split SplitV', 'axis and sizes must be constants']],
  },
  {
    title: 'Slices',
    converters: SLICINGS,
    takes: `${ALL}; computed bounds`,
    limits: [
      ['StridedSlice', 'computed steps are refused'],
      ['StridedSlice', 'a computed index out of range ends the run'],
    ],
  },
  {
    title: 'Elements by index',
    converters: GATHERINGS,
    takes: `${ALL}; batch dimensions`,
    limits: [
      ['GatherV2', 'the axis must be a constant'],
      ['GatherNd', 'indices of no numbers are refused'],
      ['', 'an index out of range ends the run, as on TensorFlow’s processors'],
    ],
  },
  {
    title: 'Paddings',
    converters: PADDINGS,
    takes: `${ALL}; REFLECT and SYMMETRIC`,
    limits: [['MirrorPad', 'the amounts must be constants']],
  },
  {
    title: 'Elements moved',
    converters: REARRANGEMENTS,
    takes: ALL,
    limits: [
      ['ReverseV2 Roll', 'the axes must be constants'],
      ['SpaceToBatchND BatchToSpaceND', 'the blocks must be constants'],
      ['ReverseSequence SpaceToBatchND BatchToSpaceND', 'the rank must be known'],
    ],
  },
  {
    title: 'Elements sent by index, segments, counts',
    converters: SCATTERINGS,
    takes: 'all numbers',
    limits: [
      ['SegmentMean SparseSegmentMean SparseSegmentSqrtN', 'floats'],
      [
        'SegmentMax SegmentMin UnsortedSegmentMax UnsortedSegmentMin TensorScatterMax TensorScatterMin',
        'NaN ends the run: what TensorFlow makes of it depends on the order',
      ],
      ['SegmentMax SegmentMin', 'float32, float64, int32, int64'],
      ['Bincount DenseBincount', 'the size of the weights must be known'],
      ['', 'an index out of range ends the run, as on TensorFlow’s processors'],
    ],
  },
  {
    title: 'Elements by value, series',
    converters: SELECTIONS,
    takes: 'all numbers',
    limits: [
      ['Where', 'the rank must be known'],
      ['Unique UniqueV2 UniqueWithCounts UniqueWithCountsV2', 'vectors; uint64 is refused'],
      ['Cumprod', 'along a constant axis of a known size, of 1,024 at most'],
      ['LinSpace', 'float32, float64'],
    ],
  },
  {
    title: 'Loops, branches, lists of tensors',
    converters: { ...LOOPS, ...BRANCHES, ...TENSOR_LISTS },
    takes: `${ALL}; recurrent layers of Keras are made of these`,
    limits: [
      ['', 'the tensors of a list must have one shape'],
      [
        'While StatelessWhile',
        'ends the run after a million turns, and where a list whose elements have an open shape is written in no turn',
      ],
    ],
  },
  {
    title: 'Assertions',
    converters: ASSERTIONS,
    takes:
      'a condition from anything that is converted, in loops and branches, too; the request fails with the words of the assertion',
    limits: [
      ['', 'of the data in its words only constants are shown'],
      [
        '',
        'one that cannot be converted, or stands in a `tf.map_fn` over encoded images, is not checked, where TensorFlow refuses the request: `model inspect` and the container’s log name it',
      ],
    ],
  },
  {
    title: 'Fake quantisation',
    converters: FAKE_QUANTISATIONS,
    takes: 'float32; ranges that are constants or variables and hold zero',
    limits: [],
  },
  {
    title: 'How numbers are stored',
    converters: SIGN_BITS,
    takes: 'float32 as int32',
    limits: [['Bitcast', 'only to ask for the sign of a zero, as Keras does before `argmax`']],
  },
];
