/** A time without logs of a source. */
export interface Pause {
  readonly from: number;
  readonly to: number;
  readonly isOpen: boolean;
}
