import type { Terminal } from '../terminal/terminal.ts';
import { readText } from './read-json-file.ts';

/** The lines of a file that are not blank, each without the blanks around it; `-` is the standard input. */
export async function readLines(path: string, terminal: Terminal): Promise<string[]> {
  const written = await readText(path, terminal);
  const lines = written.replace(/^\ufeff/, '').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}
