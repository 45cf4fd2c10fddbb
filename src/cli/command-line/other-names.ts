/** Names that other tools have for what a command does. */
const otherNames: Readonly<Record<string, string>> = {
  ...{ count: 'search --count', grep: 'search', find: 'search', filter: 'search', query: 'search' },
  ...{ info: 'overview', stats: 'overview', summary: 'overview', timeline: 'histogram', facets: 'top' },
  ...{ lint: 'check', validate: 'check', fmt: 'format', view: 'ui', web: 'ui', cat: 'show', get: 'show' },
  ...{
    tail: 'logs query',
    download: 'export',
    load: 'import',
    man: 'help',
    login: 'sign-in',
    logout: 'sign-out',
  },
};

/** Returns the command that other tools call by a name; undefined for any other word. */
export function commandOfOtherName(name: string): string | undefined {
  return Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
}
