import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createJobQueue,
  type DeploymentJob,
  endOf,
  type JobLimits,
  type Outcome,
} from '../../src/emulator/jobs.ts';

const pace = { queued: 100, running: 200, perLog: 0.5 };
const limits: JobLimits = { atOnce: 2, waiting: 3, remembered: 20, minutes: 60 };

/** A queue whose clock goes on when it is told to, with jobs that end when they are told to. */
function startQueue(some: Partial<JobLimits> = {}, jobPace = pace) {
  let time = 1000;
  const queue = createJobQueue({ ...limits, ...some }, () => time);
  const ends = new Map<string, (outcome: Outcome) => void>();
  const submit = (id: string) => {
    const work = () => new Promise<Outcome>((resolve) => ends.set(id, resolve));
    return queue.submit(jobOf(id, time, jobPace), work);
  };
  const status = async (id: string) => {
    const job = queue.byId(id);
    return job && (await queue.stateOf(job)).status;
  };
  const end = (id: string, logs = 100) => ends.get(id)?.({ state: 'CANCELLED', logs, messages: [] });
  return {
    queue,
    submit,
    status,
    end,
    begun: () => [...ends.keys()],
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

function jobOf(id: string, submitted: number, jobPace = pace): DeploymentJob {
  const about = { name: 'exportLogs', username: 'admin', requestID: '1', resource: 'logs' };
  return { ...about, id, uploadId: `of ${id}`, operationURI: '/gis', submitted, pace: jobPace };
}

test('a state follows from the clock', async () => {
  const { submit, status, end, wait } = startQueue();
  expect(submit('a')).toBe(true);
  end('a');
  expect(await status('a')).toBe('SUBMITTED');
  wait(100);
  expect(await status('a')).toBe('EXECUTING');
  wait(249);
  expect(await status('a')).toBe('EXECUTING');
  wait(1);
  expect(await status('a')).toBe('CANCELLED');
  expect(endOf(1100, pace, 100)).toBe(1350);
});

test('few jobs run at the same time, and the next one begins when one of them is over', async () => {
  const { submit, status, end, wait, begun } = startQueue();
  for (const id of ['a', 'b', 'c', 'd']) submit(id);
  expect(begun()).toEqual(['a', 'b']);
  end('b');
  wait(350);
  // The work of "a" is not done, but "b" is over: at 1350 "c" has its slot.
  expect(await status('c')).toBe('EXECUTING');
  expect(begun()).toEqual(['a', 'b', 'c']);
  end('c');
  wait(250);
  expect(await status('c')).toBe('CANCELLED');
  expect(begun()).toEqual(['a', 'b', 'c', 'd']);
});

test('a job waits for a slot as long as the jobs before it are not over by the clock', async () => {
  const { submit, status, end, wait, begun } = startQueue();
  for (const id of ['a', 'b', 'c']) submit(id);
  end('a', 1000);
  end('b', 1000);
  wait(799);
  expect(await status('c')).toBe('SUBMITTED');
  expect(begun()).toEqual(['a', 'b']);
  wait(1);
  expect(await status('c')).toBe('EXECUTING');
});

test('a job that is stuck holds no slot', async () => {
  const { queue, wait } = startQueue({ atOnce: 1 });
  const work = async (): Promise<Outcome> => ({ state: 'CANCELLED', logs: 100, messages: [] });
  const [stuck, next] = [{ ...jobOf('a', 1000), delay: 1e12 }, jobOf('b', 1000)];
  for (const job of [stuck, next]) queue.submit(job, work);
  wait(600);
  expect((await queue.stateOf(next)).status).toBe('CANCELLED');
  expect((await queue.stateOf(stuck)).status).toBe('EXECUTING');
  wait(1e12);
  expect(await queue.stateOf(stuck)).toMatchObject({ status: 'CANCELLED', ended: 1350 + 1e12 });
});

test('a job beyond the queue is refused, and taken once there is room', async () => {
  const { submit, status, end, wait, queue } = startQueue();
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map(submit)).toEqual([true, true, true, true, true, false]);
  expect(queue.byId('f')).toBeUndefined();
  end('a');
  wait(350);
  await status('c');
  expect(submit('f')).toBe(true);
  expect(submit('g')).toBe(false);
});

test('the clock of the machine starts the next job without a request', async () => {
  const queue = createJobQueue({ ...limits, atOnce: 1 }, Date.now);
  const begun: string[] = [];
  for (const id of ['a', 'b', 'c'])
    queue.submit(jobOf(id, Date.now(), { queued: 0, running: 5, perLog: 0 }), async () => {
      begun.push(id);
      return { state: 'COMPLETED', logs: 0, bytes: new Uint8Array() };
    });
  await expect.poll(() => begun, { interval: 5, timeout: 5000 }).toEqual(['a', 'b', 'c']);
});

test('the oldest jobs beyond the limit are forgotten, but none that is not over', async () => {
  const { submit, status, end, wait, queue } = startQueue({ remembered: 1, waiting: 5 });
  for (const id of ['a', 'b', 'c']) submit(id);
  expect(['a', 'b', 'c'].map((id) => queue.byId(id)?.id)).toEqual(['a', 'b', 'c']);
  end('a');
  wait(350);
  expect(await status('a')).toBe('CANCELLED');
  submit('d');
  expect(['a', 'b', 'd'].map((id) => queue.byId(id)?.id)).toEqual([undefined, 'b', 'd']);
  expect(['of a', 'of b'].map((id) => queue.byUploadId(id)?.id)).toEqual([undefined, 'b']);
});

test('stuck jobs are forgotten like others, so that they do not pile up', async () => {
  const { queue, wait } = startQueue({ remembered: 3 });
  for (let index = 0; index < 50; index += 1) {
    const job = { ...jobOf(`${index}`, 1000 + index * 350), delay: 1e12 };
    queue.submit(job, async () => ({ state: 'CANCELLED', logs: 100, messages: [] }));
    wait(350);
    expect((await queue.stateOf(job)).status).toBe('EXECUTING');
  }
  const known = Array.from({ length: 50 }, (_, index) => queue.byId(`${index}`)?.id ?? '');
  expect(known.filter((id) => id !== '')).toEqual(['47', '48', '49']);
});

test('a job is forgotten with its result when its time is over', async () => {
  const { submit, status, end, wait, queue } = startQueue({ minutes: 1 });
  submit('a');
  end('a');
  wait(350);
  expect(await status('a')).toBe('CANCELLED');
  wait(59_999);
  queue.expire();
  expect(queue.byId('a')?.id).toBe('a');
  wait(1);
  queue.expire();
  expect(queue.byId('a')).toBeUndefined();
});

// Reaches queues that are full, idle, and whose clock runs ahead of the work.
test('never more jobs run than may, and all that were accepted end in their order', async () => {
  const step = fc.oneof(fc.constant('submit' as const), fc.constant('end' as const), fc.nat({ max: 400 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.integer({ min: 1, max: 3 }),
      async (steps, atOnce) => {
        const { submit, status, end, wait, begun } = startQueue({ atOnce });
        const accepted: string[] = [];
        const ended = new Set<string>();
        const endOne = () => {
          const id = begun().find((each) => !ended.has(each));
          if (id === undefined) return false;
          end(id);
          ended.add(id);
          return true;
        };
        for (const each of steps) {
          const id = `job-${accepted.length}`;
          if (each === 'submit' && submit(id)) accepted.push(id);
          else if (each === 'end') endOne();
          else if (typeof each === 'number') wait(each);
          await new Promise((resolve) => setImmediate(resolve));
          expect(begun().length - ended.size).toBeLessThanOrEqual(atOnce);
        }
        for (let left = accepted.length; 0 < left; left -= 1) {
          endOne();
          await new Promise((resolve) => setImmediate(resolve));
          wait(1000);
          for (const id of begun()) if (ended.has(id)) await status(id);
        }
        expect(begun()).toEqual(accepted);
      },
    ),
  );
});
