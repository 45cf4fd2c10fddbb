import type { SealCheck } from '../../seal/index.ts';
import { formatTime } from '../output/log-table.ts';
import { printable } from '../terminal/printable.ts';
import type { Face } from '../terminal/terminal.ts';

/** Formats the result of checking a seal. */
export function sealLines({ statement, signer, timeStamp, problems }: SealCheck, { style }: Face): string[] {
  return [
    ...problems.map(({ code, message }) => `${style.red(code)}  ${printable(message)}`),
    `Seal of ${printable(statement.made)} by ${printable(statement.tool)}`,
    signer === undefined
      ? '  not signed: anyone can have made it'
      : `  signed with the key ${signer.fingerprint} (SHA-256)${signer.isKnown ? ', the given one' : '; "--public-key FILE" compares it with a known one'}`,
    timeStamp === undefined
      ? '  no time stamp: only its maker says when'
      : `  existed at ${formatTime(timeStamp.time)} (UTC), says ${printable(timeStamp.authority)}${timeStamp.isTrusted ? '' : ', which nobody known vouches for; "--ca FILE" names who does'}`,
  ];
}
