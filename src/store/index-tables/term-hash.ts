import { createHash } from 'node:crypto';

/** The number by which a term is found, as SQL. What it leaves in doubt, the term itself settles. */
export function termHashSql(term: string): string {
  return `('0x' || left(sha256(${term}), 8))::UINTEGER`;
}

/** What `termHashSql` makes of a term. */
export function hashOf(term: string): number {
  return createHash('sha256').update(term, 'utf8').digest().readUInt32BE(0);
}
