import type { Framework } from './framework-name.ts';
import type { Inspection } from './inspection.ts';
import { onnx } from './onnx/inspection.ts';
import { pytorch } from './pytorch/inspection.ts';
import { tensorflow } from './tensorflow/inspection.ts';

/** Sentences of the command line about each framework's models on this machine. */
export const INSPECTIONS: Readonly<Record<Framework, Inspection>> = { tensorflow, pytorch, onnx };
