import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { program } from './make-case.mjs';
import { processorTime, residentMemory } from './processes.mjs';

/** Starts `logquarry ui` on a case and waits for its address. */
export async function serve(path) {
  const child = spawn(process.execPath, [program, 'ui', path, '--no-open', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    url: JSON.parse(line).url,
    /** Processor time so far, milliseconds. */
    processor: () => processorTime(child.pid),
    /** The most memory it had, MB. */
    memory: () => residentMemory(child.pid, 'VmHWM'),
    async end() {
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}
