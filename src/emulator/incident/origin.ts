import type { Log } from '../../records/index.ts';
import type { Pod, Service } from './cast.ts';
import type { Random } from './random.ts';

/** The origin fields of a log that one of a service's pods writes. */
export function fromService(service: Service, random: Random): Log {
  return {
    source: service.name,
    className: service.className,
    serviceTypes: service.type,
    ...fromPod(random.pick(service.pods), random),
  };
}

/** The origin fields of a log that this pod writes. */
export function fromPod(pod: Pod, random: Random): Log {
  return { machine: pod.machine, process: pod.process, thread: `worker-${random.integer(1, 24)}` };
}
