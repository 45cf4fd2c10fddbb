import { spawn } from 'node:child_process';

/** Opens an address in the browser of the user. Without one nothing happens: the address is printed as well. */
export function openBrowser(url: string): void {
  const [program, ...words] = browserCommand(url);
  if (program === undefined) return;
  const child = spawn(program, words, { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}

function browserCommand(url: string): readonly string[] {
  switch (process.platform) {
    case 'darwin':
      return ['open', url];
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', url];
    default:
      return ['xdg-open', url];
  }
}
