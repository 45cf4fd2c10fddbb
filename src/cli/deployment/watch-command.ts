import { shellWord } from '../output/shell-word.ts';

/** The command that watches the upgrade of the same deployment, for messages. Credentials of options are not repeated. */
export function watchCommand({
  profile,
  url,
}: {
  readonly profile: string | undefined;
  readonly url: string | undefined;
}): string {
  const from = [
    ...(url === undefined ? [] : [`--url ${shellWord(url)}`]),
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
  ];
  return `"${['logquarry upgrade watch', ...from].join(' ')}"`;
}
