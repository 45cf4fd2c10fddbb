/** The words of a command line as a shell makes them, as far as examples go: blanks, quotes, `# remarks` and `> file`. */
export function wordsOf(line: string): string[] {
  const [command = ''] = line.split(' > ');
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|#.*|([^\s'"]+)/g)].flatMap(
    ([, single, double, word]) => single ?? double ?? word ?? [],
  );
}
