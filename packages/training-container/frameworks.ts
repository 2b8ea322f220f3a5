import { pytorch } from './frameworks/pytorch.ts';
import { tensorflow } from './frameworks/tensorflow.ts';

/** The frameworks with training containers that this machine can stand in for. */
export const FRAMEWORKS = { tensorflow, pytorch };

/** Name of one of them. */
export type FrameworkName = keyof typeof FRAMEWORKS;

/** All of their names. */
export const FRAMEWORK_NAMES: readonly FrameworkName[] = Object.keys(FRAMEWORKS).filter(isFrameworkName);

function isFrameworkName(name: string): name is FrameworkName {
  return Object.hasOwn(FRAMEWORKS, name);
}
