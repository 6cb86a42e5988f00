import type { CustomerRow } from '../../../store/records.ts';

export interface CustomerProps {
  readonly customer: CustomerRow;
}
