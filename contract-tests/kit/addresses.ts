/** Return URLs for hosted pages. No server responds at these addresses. */
export const ADDRESSES = {
  return_url: 'https://contract.invalid/paid',
  failure_url: 'https://contract.invalid/failed',
};

/** Pairs of valid but unusual URLs. Any normalisation, appended parameter or removed part would change them. */
export const ODD_ADDRESSES = [
  {
    return_url: 'https://contract.invalid/paid/?a=1&b=%20x&c=%C3%BC%2F#part?x=1',
    failure_url:
      'https://contract.invalid/failed?next=https%3A%2F%2Fcontract.invalid%2F%3Fq%3D1#no',
  },
  {
    return_url: 'https://Contract.invalid:8443/#/billing?x=1',
    failure_url: 'http://contract.invalid:443/a/../%c3%bc/%7E+b//?#!/failed',
  },
  { return_url: 'HTTPS://contract.invalid:443', failure_url: 'https://contract.invalid#/failed/' },
] as const;
