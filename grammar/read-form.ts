/** A form of a token or a rule: characters to type, another form by its name, or a remark on what may stand there. */
export type Form =
  | { readonly kind: 'terminal' | 'rule'; readonly name: string }
  | { readonly kind: 'remark'; readonly text: string }
  | { readonly kind: 'sequence' | 'choice'; readonly of: readonly Form[] }
  | { readonly kind: 'optional' | 'repeated'; readonly of: Form };

/** A remark may contain question marks; the last one stands before a bracket, a bar or the end. */
const symbol = /"[^"]*"|'[^']*'|\? .*? \?(?= [|})\]]|$)|[A-Za-z]+|[{}()[\]|]/g;

/** Reads a form in the notation of the grammar. Throws an `Error` if a bracket has no partner. */
export function readForm(text: string): Form {
  const symbols = text.match(symbol) ?? [];
  let at = 0;
  const form = choice();
  if (at < symbols.length) throw new Error(`"${symbols[at]}" has no partner in: ${text}`);
  return form;

  function choice(): Form {
    const of = [sequence()];
    while (symbols[at] === '|') {
      at += 1;
      of.push(sequence());
    }
    return oneOr('choice', of);
  }

  function sequence(): Form {
    const of: Form[] = [];
    for (let next = symbols[at]; next !== undefined && !/^[|})\]]$/.test(next); next = symbols[at])
      of.push(piece(next));
    return oneOr('sequence', of);
  }

  function piece(next: string): Form {
    at += 1;
    if (next === '(') return enclosed(')');
    if (next === '[') return { kind: 'optional', of: enclosed(']') };
    if (next === '{') return { kind: 'repeated', of: enclosed('}') };
    if (next.startsWith('? ')) return { kind: 'remark', text: next.slice(2, -2) };
    return /^["']/.test(next) ? { kind: 'terminal', name: next.slice(1, -1) } : { kind: 'rule', name: next };
  }

  function enclosed(end: string): Form {
    const form = choice();
    if (symbols[at] !== end) throw new Error(`"${end}" is missing in: ${text}`);
    at += 1;
    return form;
  }
}

function oneOr(kind: 'sequence' | 'choice', of: readonly Form[]): Form {
  const [only] = of;
  return of.length === 1 && only ? only : { kind, of };
}

/** Reports if a form begins with characters to type, not with another form; then a diagram shows it in place. */
export function isTyped(form: Form): boolean {
  switch (form.kind) {
    case 'terminal':
    case 'remark':
      return true;
    case 'sequence':
      return form.of.slice(0, 1).every(isTyped);
    case 'choice':
      return form.of.every(isTyped);
    default:
      return false;
  }
}
