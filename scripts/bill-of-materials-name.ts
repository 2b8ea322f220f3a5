/** Name of the bill of materials, in the deployment bucket as in the package. */
export const BILL_OF_MATERIALS = 'sbom.cdx.json';
