// Measures the reference deployment under load: its memory and its response times while exports run.
// Needs the bundled command line: npm run soak [-- requests]
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const bin = resolve('dist/bin/logquarry.js');
if (!existsSync(bin)) throw new Error('"npm run build:bin" makes what this measures');
const requests = Number(process.argv[2] ?? 20_000);
const agent = new Agent({ keepAlive: true, maxSockets: 200 });
const words = ['emulate', '--port', '0', '--json'];
const child = spawn(process.execPath, [bin, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });

try {
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes('\n')) break;
  }
  const { url, user, password } = JSON.parse(printed);
  const origin = new URL(url);
  const { body } = await send('/gis/sharing/rest/generateToken', {
    form: { username: user, password, client: 'requestip' },
  });
  const { token } = JSON.parse(body);
  const form = { token, num: '10000', logLevel: 'DEBUG', stackTraces: 'true' };
  console.log(`at the start: ${residentMegabytes()} MB`);
  await burst(60);
  await soak();

  /** Exports that are submitted at the same time, and how soon the front page answers meanwhile. */
  async function burst(count) {
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, residentMegabytes())), 50);
    const started = performance.now();
    const replies = await Promise.all(
      Array.from({ length: count }, () => send('/gis/admin/logs/export', { form })),
    );
    const accepted = replies.filter(({ status }) => status === 200).map((reply) => JSON.parse(reply.body));
    let left = accepted.length;
    const done = accepted.map(async ({ jobsUrl }) => {
      await untilEnded(jobsUrl);
      left -= 1;
    });
    const pages = await timePages(() => 0 < left);
    await Promise.all(done);
    clearInterval(watch);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const refused = replies.filter(({ status, retryAfter }) => status === 503 && retryAfter !== undefined);
    console.log(
      `${count} exports at once: ${accepted.length} accepted and done in ${seconds} s, ${refused.length} refused with 503 and Retry-After`,
    );
    console.log(`  ${peak} MB at most; GET /admin ${percentiles(pages)}`);
  }

  /** Many requests of all kinds while two users export without a pause. */
  async function soak() {
    let running = true;
    const pages = [];
    let [exports, wrong] = [0, 0];
    const signIns = [];
    const exporting = [0, 1].map(async () => {
      while (running) {
        const submitted = await send('/gis/admin/logs/export', { form });
        if (submitted.status !== 200) await wait(2000);
        else if (await downloads(JSON.parse(submitted.body).jobsUrl)) exports += 1;
      }
    });
    for (let sent = 0; sent < requests; sent += 1) {
      if (sent % Math.ceil(requests / 4) === 0) report(sent, pages);
      const kind = sent % 50;
      if (kind === 0) {
        const from = `127.0.${Math.floor(sent / 250) % 250}.2`;
        const guess = { username: `nobody-${sent}`, password: 'x', client: 'requestip' };
        signIns.push(send('/gis/sharing/rest/generateToken', { form: guess, from }).then(() => (wrong += 1)));
      } else if (kind === 1) {
        await send('/gis/sharing/rest/generateToken', {
          form: { username: user, password, client: 'requestip' },
        });
      } else if (kind < 10) await send('/gis/admin/system/deployments/properties', { form: { token } });
      else if (kind < 20) await send(`/gis/admin/jobs/j${sent}`, { form: { token } });
      else pages.push(await timePage());
    }
    report(requests, pages);
    running = false;
    await Promise.all([...exporting, ...signIns]);
    console.log(
      `${exports} exports of 10,000 logs were downloaded meanwhile, ${wrong} sign-ins with new names refused`,
    );
  }

  function report(sent, pages) {
    const times = pages.length === 0 ? '' : `; GET /admin ${percentiles(pages)}`;
    console.log(`after ${sent.toLocaleString('en')} requests: ${residentMegabytes()} MB${times}`);
    pages.length = 0;
  }

  async function untilEnded(jobsUrl) {
    for (;;) {
      const { status, result } = JSON.parse(
        (await send(new URL(jobsUrl).pathname, { form: { token } })).body,
      );
      if (status !== 'SUBMITTED' && status !== 'EXECUTING') return result?.URL;
      await wait(500);
    }
  }

  async function downloads(jobsUrl) {
    const upload = await untilEnded(jobsUrl);
    const { status } = await send(`${new URL(upload).pathname}/download`, { form: { token } });
    return status === 200;
  }

  async function timePages(isWanted) {
    const times = [];
    while (isWanted()) {
      times.push(await timePage());
      await wait(20);
    }
    return times;
  }

  async function timePage() {
    const started = performance.now();
    await send('/gis/admin?f=json', { method: 'GET' });
    return performance.now() - started;
  }

  function send(path, { form: fields, method = 'POST', from }) {
    const sent = fields && new URLSearchParams({ ...fields, f: 'json' }).toString();
    const headers = sent && { 'content-type': 'application/x-www-form-urlencoded' };
    const { hostname: host, port } = origin;
    return new Promise((answered, failed) => {
      const asked = request({ host, port, path, method, headers, agent, localAddress: from }, (reply) => {
        const chunks = [];
        reply.on('data', (chunk) => chunks.push(chunk));
        reply.on('end', () =>
          answered({
            status: reply.statusCode,
            retryAfter: reply.headers['retry-after'],
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
      // An idle connection may close at this moment: then another one is used.
      asked.on('error', (error) => {
        if (!asked.reusedSocket) return failed(error);
        return send(path, { form: fields, method, from }).then(answered, failed);
      });
      asked.end(sent);
    });
  }
} finally {
  child.kill();
  agent.destroy();
}

function percentiles(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0)} ms`;
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, at most ${at(1)} (${times.length} requests)`;
}

/** Memory of the deployment, where the system reports it. */
function residentMegabytes() {
  try {
    const [, kilobytes = 0] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return 0;
  }
}
