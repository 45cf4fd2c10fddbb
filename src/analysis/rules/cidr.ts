import { refuseRule } from './refusal.ts';

/**
 * A regular expression in the engine's syntax for the IPv4 addresses of a network such as
 * 10.0.0.0/8. Throws `RuleRefusal` for others.
 */
export function cidrPattern(text: string): string {
  const [, address = '', bits] = /^(\d{1,3}(?:\.\d{1,3}){3})(?:\/(\d{1,2}))?$/.exec(text) ?? [];
  const octets = address.split('.').map(Number);
  const length = bits === undefined ? 32 : Number(bits);
  if (octets.length !== 4 || 32 < length || octets.some((octet) => 255 < octet))
    return refuseRule(
      `"${text}" is not a network of IPv4 such as 10.0.0.0/8; those of IPv6 are not supported`,
    );
  return octets
    .map((octet, index) => octetPattern(octet, Math.max(0, Math.min(8, length - 8 * index))))
    .join('\\.');
}

function octetPattern(octet: number, fixedBits: number): string {
  if (fixedBits === 0) return '(<0-255>)';
  const size = 2 ** (8 - fixedBits);
  const first = octet - (octet % size);
  return size === 1 ? String(octet) : `(<${first}-${first + size - 1}>)`;
}
