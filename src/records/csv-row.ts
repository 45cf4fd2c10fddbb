/** How far a row has come: a quote is open, the row is complete, or it breaks the rules. */
export type RowState = 'open' | 'whole' | 'broken';

/** Cuts one row into fields, as RFC 4180 has it, from one or several lines. */
export interface RowParser {
  /** Takes a further line of the row, without its line feed. */
  readonly add: (line: string) => RowState;
  /** The fields so far. */
  readonly fields: readonly string[];
}

/** A parser for one row. A quote inside a field without quotes is a character like any other. */
export function rowParser(delimiter: string): RowParser {
  const fields: string[] = [];
  /** The text of the quoted field under way. */
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
