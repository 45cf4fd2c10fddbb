import type { Region } from '../../records/lines.ts';
import { readRegion } from '../../records/ndjson.ts';
import { longestRecord } from '../../records/read-records.ts';
import { parseZone, utc, type Zone } from '../../records/zone.ts';
import { type RecordBatch, recordBatcher } from './record-batch.ts';
import { type Counts, openTally } from './tally.ts';

/** A region of NDJSON that is to be read. It can be sent to another thread. */
export interface RegionTask {
  readonly region: Region;
  /** The name of the zone of times that name none; UTC unless given. */
  readonly zone?: string;
  /** What is to stand between the texts of a batch. */
  readonly separator: string;
}

/** What was read of a region. The numbers of its records count from 1. */
export interface RegionBatch extends RecordBatch {
  readonly counts: Counts;
}

/** A function that reads regions, and remembers what it analysed. */
export function regionReader(): (task: RegionTask) => RegionBatch {
  const batch = recordBatcher();
  const zones = new Map<string, Zone>();
  return read;

  function read({ region, zone = 'UTC', separator }: RegionTask): RegionBatch {
    const tally = openTally();
    for (const record of readRegion(region, { maxLength: longestRecord, zone: zoneOf(zone), before: 0 })) {
      tally.count(record);
      batch.add(record);
    }
    return { ...batch.take(separator), counts: tally.counts() };
  }

  /** A zone remembers what it was asked, so there is one of each. */
  function zoneOf(name: string): Zone {
    const zone = zones.get(name) ?? parseZone(name) ?? utc;
    zones.set(name, zone);
    return zone;
  }
}
