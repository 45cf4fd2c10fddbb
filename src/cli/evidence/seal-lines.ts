import type { SealCheck } from '../../seal/index.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import type { Face } from '../terminal/terminal.ts';
import { formatTime } from '../terminal/time-format.ts';

/** Formats the result of checking a seal. */
export function sealLines({ statement, signer, timeStamp, problems }: SealCheck, { style }: Face): string[] {
  return [
    ...problems.map(({ code, message }) => `${style.red(code)}  ${escapeUnsafe(message)}`),
    `Seal of ${escapeUnsafe(statement.made)} by ${escapeUnsafe(statement.tool)}`,
    signer === undefined
      ? '  not signed: anyone could have created it'
      : `  signed with the key ${signer.fingerprint} (SHA-256)${comparison(signer.isKnown, problems)}`,
    timeStamp === undefined
      ? '  no time stamp: only its creator states the time'
      : `  existed at ${formatTime(timeStamp.time)} (UTC), according to ${escapeUnsafe(timeStamp.authority)}${timeStamp.isTrusted ? '' : ', which no known authority certifies; --ca FILE names one'}`,
  ];
}

/** States how the key compares with the one that the call gives, if it gives any. */
function comparison(isKnown: boolean, problems: SealCheck['problems']): string {
  if (isKnown) return ', the given one';
  const isOther = problems.some(({ code }) => code === 'SIGNER_WRONG');
  return isOther ? ', not the given one' : '; --public-key FILE compares it with a known one';
}
