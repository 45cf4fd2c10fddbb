/** State of a row: a quote is open, the row is complete, or it breaks the rules. */
export type RowState = 'open' | 'whole' | 'broken';

/** Splits one row (RFC 4180), which may span several lines, into fields. */
export interface RowParser {
  /** Adds the next line of the row, without its line feed. */
  readonly add: (line: string) => RowState;
  /** Fields parsed so far. */
  readonly fields: readonly string[];
}

/** Creates a parser for one row. A quote inside an unquoted field is an ordinary character. */
export function rowParser(delimiter: string): RowParser {
  const fields: string[] = [];
  /** Text of the quoted field being read. */
  let quoted: string | undefined;
  return { add, fields };

  function add(line: string): RowState {
    if (quoted === undefined) return fromField(line, 0);
    quoted += '\n';
    return fromQuoted(line, 0);
  }

  function fromField(text: string, from: number): RowState {
    for (let at = from; ; ) {
      if (text.startsWith('"', at)) {
        quoted = '';
        return fromQuoted(text, at + 1);
      }
      const end = text.indexOf(delimiter, at);
      if (end < 0) {
        fields.push(text.slice(at, text.endsWith('\r') ? -1 : undefined));
        return 'whole';
      }
      fields.push(text.slice(at, end));
      at = end + 1;
    }
  }

  function fromQuoted(text: string, from: number): RowState {
    for (let at = from; ; ) {
      const quote = text.indexOf('"', at);
      quoted += text.slice(at, quote < 0 ? undefined : quote);
      if (quote < 0) return 'open';
      if (text[quote + 1] !== '"') return afterQuoted(text, quote + 1);
      quoted += '"';
      at = quote + 2;
    }
  }

  function afterQuoted(text: string, at: number): RowState {
    fields.push(quoted ?? '');
    quoted = undefined;
    if (at === text.length || text.slice(at) === '\r') return 'whole';
    return text[at] === delimiter ? fromField(text, at + 1) : 'broken';
  }
}
