/** The deployment that a step about endpoints works for. */
export interface EndpointScope {
  /** Every name of an endpoint, configuration or model of endpoints begins with it: `inferdrop-<stage>`. */
  readonly prefix: string;
}
