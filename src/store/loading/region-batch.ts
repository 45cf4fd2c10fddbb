import { isUtf8 } from 'node:buffer';
import { lineEnd, type Region, regionWithin } from '../../records/lines.ts';
import { readRegion } from '../../records/ndjson.ts';
import { plainReader } from '../../records/plain-line.ts';
import { longestRecord } from '../../records/read-records.ts';
import { lostCharacter } from '../../records/utf8.ts';
import { parseZone, utc, type Zone } from '../../records/zone.ts';
import { type RecordBatch, recordBatcher } from './record-batch.ts';
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
function isSound(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(lost);
}

/** A function that reads regions, and remembers what it analysed. */
export function regionReader(): (task: RegionTask) => RegionBatch {
  const batch = recordBatcher();
  const zones = new Map<string, Zone>();
  return read;

  function read({ region, zone = 'UTC', thorough = false }: RegionTask): RegionBatch {
    const tally = openTally();
    const bytes = Buffer.from(region.bytes.buffer, region.bytes.byteOffset, region.bytes.length);
    const plain = plainReader(bytes, region.isCut ? 0 : longestRecord);
    const options = { maxLength: longestRecord, zone: zoneOf(zone) };
    let number = 0;
    /** Where the lines begin that are left to the reader of all lines. */
    let left = 0;
    if (!thorough && isSound(bytes)) addPlainLines();
    addLeft(bytes.length);
    return { ...batch.take(), counts: tally.counts() };

    function addPlainLines(): void {
      for (let from = 0, to = 0; from < bytes.length; from = to + 1) {
        to = plain.read(from);
        if (0 <= to) addPlain(from, to);
        else to = lineEnd(bytes, from);
      }
    }

    function addPlain(from: number, to: number): void {
      addLeft(from - 1);
      left = to + 1;
      tally.countLog();
      const position = { number: ++number, offset: region.offset + from, length: to - from };
      batch.addPlain(bytes, plain.line, position);
    }

    function addLeft(to: number): void {
      if (to <= left) return;
      for (const record of readRegion(regionWithin(region, left, to), { ...options, before: number })) {
        number++;
        tally.count(record);
        batch.add(record);
      }
    }
  }

  /** A zone remembers what it was asked, so there is one of each. */
  function zoneOf(name: string): Zone {
    const zone = zones.get(name) ?? parseZone(name) ?? utc;
    zones.set(name, zone);
    return zone;
  }
}
