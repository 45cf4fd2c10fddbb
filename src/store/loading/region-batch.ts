import { isUtf8 } from 'node:buffer';
import { lineEnd, type Region, regionWithin } from '../../records/lines.ts';
import { readRegion } from '../../records/ndjson.ts';
import { longestRecord } from '../../records/read-records.ts';
import { lostCharacter } from '../../records/utf8.ts';
import { parseZone, utc, type Zone } from '../../records/zone.ts';
import { type RecordBatch, recordBatcher } from '../rows/record-batch.ts';
import { plainLines } from './plain-lines.ts';
import { type Counts, openTally } from './tally.ts';

/** A region of NDJSON that is to be read. It can be sent to another thread. */
export interface RegionTask {
  readonly region: Region;
  /** The name of the zone of times that name none; UTC unless given. */
  readonly zone?: string;
  /** Leaves no line to the quick reader of plain ones. */
  readonly thorough?: boolean;
}

/** What was read of a region. The numbers of its records count from 1. */
export interface RegionBatch extends RecordBatch {
  readonly counts: Counts;
}

/** What a thread answers: what it read, and the memory of the region. */
export interface RegionAnswer {
  readonly batch: RegionBatch;
  readonly memory: ArrayBufferLike;
}

const lost = Buffer.from(lostCharacter);

/** Whether no characters are lost in a text. Those that are have to be remarked on, which the quick reader does not. */
function isSound(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(lost) < 0;
}

/** A function that reads regions, and remembers what it analysed. */
export function regionReader(): (task: RegionTask) => RegionBatch {
  const lines = plainLines();
  const batch = recordBatcher(lines);
  const zones = new Map<string, Zone>();
  return read;

  function read({ region, zone = 'UTC', thorough = false }: RegionTask): RegionBatch {
    const tally = openTally();
    const { bytes, offset } = region;
    const options = { maxLength: longestRecord, zone: zoneOf(zone) };
    const isOther = thorough || options.zone.unit !== undefined || region.isCut || !isSound(bytes);
    const isPlain = isOther ? () => false : lines.isPlain;
    let records = 0;
    lines.begin(bytes);
    for (let at = 0; at < bytes.length; ) {
      if (isPlain(at)) at = addPlain(at);
      else at = addOthers(at);
    }
    return { ...batch.take(), counts: tally.counts() };

    function addPlain(from: number): number {
      const rows = lines.rows();
      const end = lines.read(from, { records, offset });
      records += lines.rows() - rows;
      tally.countLogs(lines.rows() - rows);
      return end;
    }

    /** Adds the records of lines up to the next one that is plain. */
    function addOthers(from: number): number {
      let end = from;
      do end = lineEnd(bytes, end) + 1;
      while (end < bytes.length && !isPlain(end));
      for (const record of readRegion(regionWithin(region, from, end - 1), { ...options, before: records })) {
        records++;
        tally.count(record);
        batch.add(record);
      }
      return end;
    }
  }

  /** A zone remembers what it was asked, so there is one of each. */
  function zoneOf(name: string): Zone {
    const zone = zones.get(name) ?? parseZone(name) ?? utc;
    zones.set(name, zone);
    return zone;
  }
}
