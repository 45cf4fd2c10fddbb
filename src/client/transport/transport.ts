/** Sends one request. Everything that can reach a deployment is one of these; the reference deployment is one too. */
export type Transport = (request: Request) => Promise<Response>;

/** Adds one concern (retries, a token) to a transport. */
export type Layer = (next: Transport) => Transport;

/** Wraps a transport in layers, the first one outermost. */
export function withLayers(transport: Transport, ...layers: readonly Layer[]): Transport {
  return layers.reduceRight((next, layer) => layer(next), transport);
}
