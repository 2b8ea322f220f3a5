import { blueGreenDeployer } from './blue-green-deployer.ts';
import type { Deployers } from './deployer.ts';
import { componentDeployer } from './scale-to-zero/component-deployer.ts';

/** Effects of each kind of endpoint, for the functions that change endpoints; use cases are handed them. */
export const DEPLOYERS: Deployers = {
  instance: blueGreenDeployer,
  serverless: blueGreenDeployer,
  scaleToZero: componentDeployer,
  lambda: blueGreenDeployer,
};
