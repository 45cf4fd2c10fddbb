/** Preloaded into a command: writes its processor seconds and its largest memory in megabytes to a file at its end. */
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { processor: (userCPUTime + systemCPUTime) / 1e6, megabytes: Math.round(maxRSS / 1024) };
  writeFileSync(process.env.USAGE_FILE ?? 'usage.json', JSON.stringify(usage));
});
