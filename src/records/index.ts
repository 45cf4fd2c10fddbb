export { aliasOf } from './aliases.ts';
export { toEcs } from './exchange/ecs.ts';
export { toOtlp } from './exchange/otlp.ts';
export type { OutgoingLog } from './exchange/outgoing-log.ts';
export { type Annotation, toTimesketch } from './exchange/timesketch.ts';
export { intervalShift, intervalStart } from './interval-start.ts';
export {
  ExactNumber,
  isObject,
  isSameNumber,
  type JsonObject,
  readExactJson,
  writeExactJson,
} from './json/exact-json.ts';
export {
  type Allocate,
  findLineEnd,
  joinRegions,
  lineFeed,
  type Region,
  regionCutter,
  sliceRegion,
} from './lines.ts';
export { type Log, type LogField, logFields, type TextField, textFields } from './log.ts';
export { readRegion } from './ndjson.ts';
export { isNonLogFormat } from './non-log-file.ts';
export { type JsonValue, parseJson } from './parse-json.ts';
export { longestRecord, type OpenText, openText, recordsOf } from './read-records.ts';
export {
  type Extra,
  type LogRecord,
  type Position,
  type ReadRecord,
  type RemarkCode,
  remarkCodes,
  type UnreadableRecord,
} from './record.ts';
export { makeRedactor, type Redactor } from './redaction/redactor.ts';
export type { Format } from './sniff.ts';
export { changeBetween, instantsOf, parseTimeZone, type TimeZone, utcZone } from './time-zone.ts';
export { toLog } from './to-log.ts';
export { replacementCharacter, toUtf8, utf8Start, withFullStart } from './utf8.ts';
export { parseZone, type TimeUnit, timeUnits, utcClocks, type Zone } from './zone.ts';
export { quarterHour, zoneDatabaseYears } from './zone-offset.ts';
