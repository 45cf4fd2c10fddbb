import type { ReadStream, WriteStream } from 'node:tty';
import { Interrupted } from './endings.ts';

const keys = { enter: /[\r\n]/, interrupt: /[\u0003\u0004]/, erase: /[\u007f\b]/ };

/** Asks a person for a secret. Shows nothing of it, not even its length. */
export function askSecret(input: ReadStream, output: WriteStream, question: string): Promise<string> {
  output.write(question);
  input.setRawMode(true);
  input.setEncoding('utf8');
  input.resume();
  return new Promise<string>((resolve, reject) => {
    let secret = '';
    const end = (finish: () => void) => {
      input.off('data', onData);
      input.setRawMode(false);
      input.pause();
      output.write('\n');
      finish();
    };
    const onData = (data: string | Buffer) => {
      for (const character of String(data)) {
        if (keys.enter.test(character)) return end(() => resolve(secret));
        if (keys.interrupt.test(character)) return end(() => reject(new Interrupted('Interrupted')));
        if (keys.erase.test(character)) secret = [...secret].slice(0, -1).join('');
        else secret += character;
      }
    };
    input.on('data', onData);
  });
}
