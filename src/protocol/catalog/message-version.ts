import type { VendorProfile } from './profile.ts';

/** The message versions of the server (section 2.1 of the interface document), oldest first, without the vendor's prefix. */
export const serverVersions = [
  '83',
  '90',
  '92',
  '93',
  '10',
  '101',
  '103',
  '104',
  '105',
  '106',
  '107',
  '108',
] as const;

/** The message versions of the desktop application (section 2.1): every minor step of 1.0-1.4, 2.0-2.9 and 3.0-3.3. */
export const proVersions: readonly string[] = [
  ['1', 4],
  ['2', 9],
  ['3', 3],
].flatMap(([major, last]) => Array.from({ length: Number(last) + 1 }, (_, minor) => `${major}_${minor}`));

/** The message formats (section 2.1), without the vendor's prefix. */
export const messageFormats = ['Soap', 'Bin', 'SoapOrBin'] as const;

/** The values of the open enumeration of message versions, as a profile spells them. */
export function versionValues(profile: VendorProfile): readonly string[] {
  return [
    ...serverVersions.map((version) => profile.versionType + version),
    ...proVersions.map((version) => profile.proVersion + version),
  ];
}

/** The values of the open enumeration of message formats, as a profile spells them. */
export function formatValues(profile: VendorProfile): readonly string[] {
  return messageFormats.map((format) => profile.formatType + format);
}

/**
 * A message version as people write it: `10.8`, or `Pro 3.3`, for any profile. Returns other values unchanged.
 */
export function versionInWords(value: string): string {
  const [, pro, digits = ''] = /^[a-z]+?(Pro)?Version(\d[\d_]*)$/i.exec(value) ?? [];
  if (digits === '') return value;
  if (pro) return `Pro ${digits.replaceAll('_', '.')}`;
  // The digits have no dot: the server went from 9.3 to 10 and on to 10.8.
  const major = digits.startsWith('1') ? 2 : 1;
  const minor = digits.slice(major);
  return minor === '' ? digits : `${digits.slice(0, major)}.${minor}`;
}
