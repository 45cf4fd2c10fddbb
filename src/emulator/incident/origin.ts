import type { Log } from '../../records/log.ts';
import type { Pod, Service } from './cast.ts';
import type { Random } from './random.ts';

/** The fields of a log that say where it was written: by one of a service's pods. */
export function fromService(service: Service, random: Random): Log {
  return {
    source: service.name,
    className: service.className,
    serviceTypes: service.type,
    ...fromPod(random.pick(service.pods), random),
  };
}

/** The fields of a log that say where it was written: by this pod. */
export function fromPod(pod: Pod, random: Random): Log {
  return { machine: pod.machine, process: pod.process, thread: `worker-${random.integer(1, 24)}` };
}
