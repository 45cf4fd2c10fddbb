export { toUtf8, utf8Start } from './encoding.ts';
export {
  duplicateMembers,
  ExactNumber,
  isObject,
  isSameNumber,
  type JsonObject,
  type JsonValue,
  parseJson,
  readExactJson,
  writeExactJson,
} from './exact-json.ts';
export { type Annotation, type OutgoingLog, toEcs, toOtlp, toTimesketch } from './exchange.ts';
export { readRegion } from './json.ts';
export { ownLevels } from './levels.ts';
export {
  type Allocate,
  findLineEnd,
  joinRegions,
  lineFeed,
  type Region,
  regionCutter,
  sliceRegion,
  withFullStart,
} from './lines.ts';
export {
  aliasOf,
  type Extra,
  isNestingKey,
  type Log,
  type LogField,
  type LogRecord,
  logFields,
  type Position,
  type ReadRecord,
  type RemarkCode,
  remarkCodes,
  replacementCharacter,
  type TextField,
  textFields,
  type UnreadableRecord,
} from './log.ts';
export { compareCursors, type LogCursor, type LogOrder } from './log-order.ts';
export { formLosses, ownForms } from './own-forms.ts';
export {
  type Format,
  isNonLogFormat,
  longestRecord,
  type OpenText,
  openText,
  recordsOf,
} from './read-records.ts';
export { makeRedactor, type Redactor } from './redactor.ts';
export { errorField, replyStarts } from './replies.ts';
export {
  changeBetween,
  type DateOrder,
  dateOrders,
  instantsOf,
  intervalShift,
  intervalStart,
  parseTimeZone,
  parseZone,
  plausibleTimes,
  quarterHour,
  type TimeUnit,
  type TimeZone,
  timeUnits,
  utcClocks,
  utcZone,
  type Zone,
  zoneDatabaseYears,
} from './time.ts';
export { toLog } from './to-log.ts';
