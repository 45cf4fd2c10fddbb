import { isUtf8 } from 'node:buffer';
import {
  findLineEnd,
  longestRecord,
  parseZone,
  type Region,
  readRegion,
  replacementCharacter,
  sliceRegion,
  utcClocks,
  type Zone,
} from '../../records/index.ts';
import { type RecordBatch, recordBatcher } from '../rows/record-batch.ts';
import { plainLineBatcher } from './plain-lines.ts';
import { type RecordCounts, recordCounter } from './record-counter.ts';

/** A task to read a region of NDJSON, which can be sent to another thread. */
export interface RegionTask {
  readonly region: Region;
  /** Name of the zone of times that name none. Default: UTC. */
  readonly zone?: string;
  /** Skips the fast reader of plain lines. */
  readonly thorough?: boolean;
}

/** Records of a region. Their numbers count from 1. */
export interface RegionBatch extends RecordBatch {
  readonly counts: RecordCounts;
}

/** Answer of a thread: the records, and the memory of the region. */
export interface RegionAnswer {
  readonly batch: RegionBatch;
  readonly memory: ArrayBufferLike;
}

const replacement = Buffer.from(replacementCharacter);

/**
 * Reports if a text is valid UTF-8 without replacement characters. Those require remarks, which the
 * fast reader does not make.
 */
function isValidText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(replacement) < 0;
}

/** Creates a function that reads regions, and caches analysed texts. */
export function regionReader(): (task: RegionTask) => RegionBatch {
  const lines = plainLineBatcher();
  const batch = recordBatcher(lines);
  const zones = new Map<string, Zone>();
  return read;

  function read({ region, zone = 'UTC', thorough = false }: RegionTask): RegionBatch {
    const counter = recordCounter();
    const { bytes, offset } = region;
    const options = { maxLength: longestRecord, zone: zoneOf(zone) };
    const needsReference = thorough || options.zone.unit !== undefined || region.isCut || !isValidText(bytes);
    const isPlain = needsReference ? () => false : lines.isPlainAt;
    let records = 0;
    lines.setRegion(bytes);
    for (let at = 0; at < bytes.length; ) {
      if (isPlain(at)) at = addPlain(at);
      else at = addOthers(at);
    }
    return { ...batch.take(), counts: counter.counts() };

    function addPlain(from: number): number {
      const rows = lines.rowCount();
      const end = lines.readRows(from, { records, offset });
      records += lines.rowCount() - rows;
      counter.countLogs(lines.rowCount() - rows);
      return end;
    }

    /** Adds the records of lines up to the next plain one. */
    function addOthers(from: number): number {
      let end = from;
      do end = findLineEnd(bytes, end) + 1;
      while (end < bytes.length && !isPlain(end));
      for (const record of readRegion(sliceRegion(region, from, end - 1), { ...options, before: records })) {
        records++;
        counter.count(record);
        batch.add(record);
      }
      return end;
    }
  }

  /** A zone caches its results, so each has one instance. */
  function zoneOf(name: string): Zone {
    const zone = zones.get(name) ?? parseZone(name) ?? utcClocks;
    zones.set(name, zone);
    return zone;
  }
}
