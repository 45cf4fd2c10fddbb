import * as v from 'valibot';
import { optionalMember } from './reply.ts';

/** Path of the microservices below `{root}` (public documentation). */
export const microservicesPath = '/system/deployments';

/** One microservice of a deployment. Its members are open: unknown modes, providers and types pass through. */
export interface Microservice {
  /** `deploymentId` on the wire. */
  readonly id: string;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly provider?: string | undefined;
  readonly mode?: string | undefined;
}

/** State of a microservice and the numbers of its pods. */
export interface MicroserviceStatus {
  /** The public documentation shows `STARTED`. */
  readonly currentState?: string | undefined;
  readonly readyReplicas?: number | undefined;
  readonly totalReplicas?: number | undefined;
  readonly kubernetesResourceKind?: string | undefined;
  readonly kubernetesResourceName?: string | undefined;
}

const identifier = v.pipe(v.string(), v.nonEmpty());
const names = {
  name: optionalMember.text,
  type: optionalMember.text,
  provider: optionalMember.text,
  mode: optionalMember.text,
};
const microservice = v.union([
  v.pipe(
    v.object({ deploymentId: identifier, ...names }),
    v.transform(({ deploymentId, ...rest }) => ({ id: deploymentId, ...rest })),
  ),
  v.object({ id: identifier, ...names }),
]);

/** Reads the microservices in a body; undefined if the body holds no list of them. */
export function microservicesOf(body: unknown): readonly Microservice[] | undefined {
  const result = v.safeParse(v.object({ deployments: v.array(microservice) }), body);
  return result.success ? result.output.deployments : undefined;
}

const status = v.object({
  currentState: optionalMember.text,
  readyReplicas: optionalMember.number,
  totalReplicas: optionalMember.number,
  kubernetesResourceKind: optionalMember.text,
  kubernetesResourceName: optionalMember.text,
});

/** Reads the status of a microservice in a body; undefined if the body holds none. */
export function microserviceStatusOf(body: unknown): MicroserviceStatus | undefined {
  const result = v.safeParse(status, body);
  if (!result.success) return undefined;
  const { currentState, readyReplicas, totalReplicas } = result.output;
  const tells = currentState !== undefined || readyReplicas !== undefined || totalReplicas !== undefined;
  return tells ? result.output : undefined;
}

/**
 * True if a microservice is started and all of its pods are ready. Absent members count as ready.
 *
 * ```ts
 * const [service] = await readMicroservices(client);
 * if (service) isReady(await readMicroserviceStatus(client, service.id));
 * ```
 */
export function isReady({ currentState, readyReplicas, totalReplicas }: MicroserviceStatus): boolean {
  const isStarted = currentState === undefined || currentState.toUpperCase() === 'STARTED';
  return isStarted && (totalReplicas === undefined || totalReplicas <= (readyReplicas ?? 0));
}
