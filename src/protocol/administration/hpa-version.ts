import type { Autoscaling } from '../properties/template.ts';

/**
 * The version of an autoscaling and the path of that member: in its specification, or beside it for version 1.
 */
export function hpaVersionOf({ hpaSpec, hpaVersion }: Autoscaling): {
  readonly version: string | undefined;
  readonly path: string;
} {
  const inside = hpaSpec?.hpaVersion ?? undefined;
  const at = inside === undefined && hpaVersion ? 'hpaVersion' : 'hpaSpec.hpaVersion';
  return { version: inside ?? hpaVersion ?? undefined, path: `spec.replicas.autoscaling.${at}` };
}
