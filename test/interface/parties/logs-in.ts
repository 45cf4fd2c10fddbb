import type { Log } from '../../../src/records/log.ts';
import { unzip } from '../../emulator/calls.ts';

/** The logs in a downloaded zip of NDJSON, in their order. */
export async function logsIn(response: Response): Promise<readonly Log[]> {
  const entries = await unzip(new Uint8Array(await response.arrayBuffer()));
  const lines = [...entries.values()].join('').split('\n');
  return lines.filter((line) => line !== '').map((line): Log => JSON.parse(line));
}
