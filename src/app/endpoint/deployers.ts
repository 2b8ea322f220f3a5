import { deployBlueGreen } from './deploy-blue-green.ts';
import type { Deployers } from './deployer.ts';
import { deployComponent } from './scale-to-zero/deploy-component.ts';

/** How each kind of endpoint is deployed, for the function that does it; use cases are handed it. */
export const DEPLOYERS: Deployers = {
  instance: deployBlueGreen,
  serverless: deployBlueGreen,
  scaleToZero: deployComponent,
  lambda: deployBlueGreen,
};
