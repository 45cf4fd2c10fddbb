/** A member of a tar made by hand. What is not given is right. */
export interface RawMember {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** '0', a file, by default. */
  readonly type?: string;
  /** The form of the header; ustar by default. */
  readonly form?: 'ustar' | 'v7' | 'gnu' | 'pax';
  /** Size in the header. */
  readonly size?: number;
  /** Size as a binary number, as GNU writes large ones. */
  readonly isBinary?: boolean;
}

/** The bytes of a tar, written without a library so that they can lie, and use what few writers do. */
export function toTar(members: readonly RawMember[], { end = true } = {}): Uint8Array {
  return Buffer.concat([...members.flatMap(blocksOf), ...(end ? [Buffer.alloc(1024)] : [])]);
}

function blocksOf(member: RawMember): Buffer[] {
  const { name, content = '', type = '0', form = 'ustar', size } = member;
  const bytes = Buffer.from(content);
  const described =
    100 < Buffer.byteLength(name) && form === 'gnu'
      ? blocksOf({ name: '././@LongLink', content: `${name}\0`, type: 'L' })
      : form === 'pax'
        ? blocksOf({
            name: 'PaxHeaders/x',
            content: paxRecord('path', name) + paxRecord('mtime', '1.5'),
            type: 'x',
          })
        : [];
  const header = Buffer.alloc(512);
  const cut = form === 'ustar' ? name.lastIndexOf('/', 155) : -1;
  const isSplit = 100 < name.length && 0 < cut;
  header.write(isSplit ? name.slice(cut + 1) : name.slice(0, 100), 0);
  if (isSplit) header.write(name.slice(0, cut), 345);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  const length = size ?? bytes.length;
  if (member.isBinary) {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(length), 128);
  } else header.write(`${length.toString(8).padStart(11, '0')} `, 124);
  header.write('14764473652 ', 136);
  header.write(form === 'v7' && type === '0' ? '\0' : type, 156);
  if (form !== 'v7') header.write(form === 'gnu' ? 'ustar  \0' : 'ustar\x0000', 257);
  header.write('        ', 148);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512);
  return [...described, header, bytes, padding];
}

function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  for (let length = Buffer.byteLength(rest) + 1; ; length++)
    if (Buffer.byteLength(`${length}${rest}`) === length) return `${length}${rest}`;
}
