/** A shell with a completion script. */
export type Shell = 'bash' | 'zsh' | 'fish';

/** A quotation mark that a word leaves open; empty for none. */
export type OpenQuote = '' | "'" | '"';

/** A word of a command line, as written and as the program gets it. */
export interface ShellWord {
  readonly raw: string;
  readonly value: string;
  readonly quote: OpenQuote;
}

/** A command line around a cursor. */
export interface ShellLine {
  /** Complete words before that of the cursor, the program first. */
  readonly before: readonly string[];
  /** The word of the cursor as far as the cursor; empty after a blank. */
  readonly current: ShellWord;
  /** Words after that of the cursor. */
  readonly after: readonly string[];
}

/** Reads the words of a command line; `line` ends at the cursor, and `rest` follows. */
export function readShellLine(line: string, rest: string, shell: Shell): ShellLine {
  const words = readWords(line, shell);
  const current = words.at(-1) ?? emptyWord;
  const after = readWords(afterWord(rest, current.quote), shell).map(({ value }) => value);
  return {
    before: words.slice(0, -1).map(({ value }) => value),
    current,
    after: after.filter((word) => word !== ''),
  };
}

/** Ends a word. Other spaces, such as that of a number with thousands, are parts of words to a shell. */
const blank = /^[ \t\n]$/;

const emptyWord: ShellWord = { raw: '', value: '', quote: '' };

/** The words of a text; the last one ends where the text does, and is empty after a blank. */
function readWords(text: string, shell: Shell): ShellWord[] {
  const words: ShellWord[] = [];
  let word: ShellWord | undefined;
  for (let at = 0; at < text.length; ) {
    const { quote } = word ?? emptyWord;
    const written = pieceAt(text, at, { quote, shell });
    at += written.length;
    if (quote === '' && blank.test(written)) {
      if (word) words.push(word);
      word = undefined;
    } else word = joined(word ?? emptyWord, written);
  }
  return [...words, word ?? emptyWord];
}

/** A character, or an escape with the character it protects. */
function pieceAt(
  text: string,
  at: number,
  { quote, shell }: { readonly quote: OpenQuote; readonly shell: Shell },
): string {
  const pair = text.slice(at, at + 2);
  const escapes =
    quote === '' ? /^\\[\s\S]/ : quote === '"' ? /^\\["\\$`]/ : shell === 'fish' ? /^\\['\\]/ : undefined;
  return escapes?.test(pair) ? pair : text.charAt(at);
}

function joined({ raw, value, quote }: ShellWord, piece: string): ShellWord {
  const all = raw + piece;
  if (piece.length === 2) return { raw: all, value: value + piece.charAt(1), quote };
  if (quote === '' && (piece === '"' || piece === "'")) return { raw: all, value, quote: piece };
  if (quote !== '' && piece === quote) return { raw: all, value, quote: '' };
  return { raw: all, value: value + piece, quote };
}

/** The text after the word of the cursor. A quotation mark that is never closed ends at the cursor. */
function afterWord(rest: string, quote: OpenQuote): string {
  const closed = quote === '' ? 0 : rest.indexOf(quote) + 1;
  return rest.slice(closed).replace(/^[^ \t\n]+/, '');
}

/** Writes a text so that the shell reads it as it is, within an open quotation mark or without one. */
export function writeInShell(text: string, quote: OpenQuote): string {
  if (quote === "'") return text.replace(/'/g, "'\\''");
  if (quote === '"') return text.replace(/["\\$`]/g, '\\$&');
  return text.replace(/[^\w.:/,*+@%^=\u0080-\uffff-]/g, '\\$&');
}

/**
 * The part of a completed word that takes the place of `replaced`, the end of the written word, as bash
 * has it. Undefined if the completed word does not begin like the rest of the written one.
 */
export function replacementIn(completed: string, current: ShellWord, replaced: string): string | undefined {
  const kept = current.raw.slice(0, Math.max(0, current.raw.length - replaced.length));
  const [before = emptyWord] = readWords(kept, 'bash').slice(-1);
  if (!completed.startsWith(before.value)) return undefined;
  return writeInShell(completed.slice(before.value.length), before.quote);
}
