/** Logs of some bytes, no two lines alike. */
export function distinctLogs(length: number): Buffer {
  const lines: string[] = [];
  for (let at = 0, bytes = 0; bytes < length; at++) {
    const line = `{"time":${at},"level":"INFO","msg":"request ${(at * 2_654_435_761) % 2 ** 32} took ${at % 997} ms"}\n`;
    lines.push(line);
    bytes += line.length;
  }
  return Buffer.from(lines.join('')).subarray(0, length);
}
