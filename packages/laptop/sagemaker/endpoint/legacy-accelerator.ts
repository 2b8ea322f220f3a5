import { validationException } from '../../kernel/aws-error.ts';
import type { ProductionVariant } from './endpoint-config-record.ts';

/**
 * Refuses accelerators of Elastic Inference, which AWS ended in April 2024 although the API's model still lists them.
 *
 * @throws {AwsError} `ValidationException`
 */
export function refuseAccelerators(variants: readonly ProductionVariant[]): void {
  for (const { VariantName, AcceleratorType } of variants) {
    if (AcceleratorType === undefined) continue;
    throw validationException(
      `AcceleratorType ${AcceleratorType} of production variant ${VariantName} is not supported: Amazon Elastic ` +
        'Inference is no longer available. ' +
        'Remove AcceleratorType and use a GPU instance type, or start the local stack with --legacy-elastic-inference.',
    );
  }
}

/**
 * The image that runs for an Elastic Inference image: the plain one of the same repository, for no accelerator is here.
 * Whether such images are to run at all is decided before.
 */
export function toServedImage(image: string): string {
  return image.replace(/-eia(?=[:@]|$)/, '');
}
