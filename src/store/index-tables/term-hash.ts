import { createHash } from 'node:crypto';

/** Returns the hash of a term expression, as SQL. The term itself tells collisions apart. */
export function termHashSql(term: string): string {
  return `('0x' || left(sha256(${term}), 8))::UINTEGER`;
}

/** Returns the hash that `termHashSql` computes for a term. */
export function termHash(term: string): number {
  return createHash('sha256').update(term, 'utf8').digest().readUInt32BE(0);
}
