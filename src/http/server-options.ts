/** Of every listener. A proxy keeps its connections for 60 s. */
export const serverOptions = {
  maxHeaderSize: 8_192,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 72_000,
  // Node's default of 30 s would let slow headers take that much longer.
  connectionsCheckingInterval: 1_000,
};

/** How long a connection may be silent in the middle of a request. */
export const silenceMs = 15_000;
