import * as z from 'zod';

/** Frameworks with models that AWS's inference containers serve; onnx models run in the containers of PyTorch. */
export const Framework = z.enum(['tensorflow', 'pytorch', 'onnx']);
export type Framework = z.infer<typeof Framework>;

/** The ones with training containers that are also supported. */
export const TrainingFramework = Framework.extract(['tensorflow', 'pytorch']);
export type TrainingFramework = z.infer<typeof TrainingFramework>;
