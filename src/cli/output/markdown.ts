import { escapeUnsafe } from '../terminal/printable.ts';
import type { Cell } from './csv.ts';

/** The two heading lines of a Markdown table. */
export function markdownHead(names: readonly string[]): string {
  return (
    markdownRow(names) +
    markdownRow(
      names.map(() => '---'),
      { raw: true },
    )
  );
}

/** A row of a Markdown table; markup is escaped, and line breaks become spaces. */
export function markdownRow(row: readonly Cell[], { raw = false }: { readonly raw?: boolean } = {}): string {
  return `| ${row.map((value) => (raw ? String(value) : escapeMarkdown(String(value ?? '')))).join(' | ')} |\n`;
}

/** Escapes markup of a text, and addresses that would become links; line breaks become spaces. */
export function escapeMarkdown(text: string): string {
  return escapeUnsafe(text.replace(/\r?\n/g, ' '))
    .replace(/[\\`*_{}[\]<>|~&$#!]/g, '\\$&')
    .replace(/:(?=\/\/)|(?<=www)\./gi, '\\$&');
}
