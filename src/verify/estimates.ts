/** "$0.01 per paginated API request": https://aws.amazon.com/aws-cost-management/aws-cost-explorer/pricing/ */
const COST_EXPLORER_REQUEST_USD = 0.01;

/** US dollars of so many requests to Cost Explorer. */
export function costExplorerUsd(requests: number): number {
  return requests * COST_EXPLORER_REQUEST_USD;
}
