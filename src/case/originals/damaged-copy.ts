import { basename } from 'node:path';
import { StoreError } from '../../database/index.ts';

/** The compressed copy of an original does not inflate to the bytes that were added. */
export class DamagedCopy extends StoreError {
  /** Part of a sentence: the file, the problem and its position. */
  readonly problem: string;

  constructor(path: string, problem: string, options?: ErrorOptions) {
    const what = `its copy "${basename(path)}" is damaged: ${problem}`;
    super(
      'FILE_UNREADABLE',
      `An original cannot be read: ${what}. Put an undamaged copy in its place`,
      options,
    );
    this.problem = what;
  }
}
