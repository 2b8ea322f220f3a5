import * as z from 'zod';

/** Frameworks whose models AWS's inference containers serve; those of onnx run in the containers of PyTorch. */
export const Framework = z.enum(['tensorflow', 'pytorch', 'onnx']);
export type Framework = z.infer<typeof Framework>;

/** Those of them whose training containers it supports too. */
export const TrainingFramework = Framework.extract(['tensorflow', 'pytorch']);
export type TrainingFramework = z.infer<typeof TrainingFramework>;
