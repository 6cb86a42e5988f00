/** Where hosted pages lead back to; nobody answers there. */
export const ADDRESSES = {
  return_url: 'https://contract.invalid/paid',
  failure_url: 'https://contract.invalid/failed',
};
