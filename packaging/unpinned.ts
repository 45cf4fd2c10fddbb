import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** The file of optional packages that may lack an integrity until the next release. */
const path = 'packaging/unpinned.json';

/** The packages, as `name@version`, that may lack an integrity. */
export function readUnpinned(): readonly string[] {
  return v.parse(v.array(v.string()), JSON.parse(readFileSync(path, 'utf8')));
}
