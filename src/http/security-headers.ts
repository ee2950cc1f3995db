/** Headers of all responses: only our own pages may read them, with the declared type. */
export const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
} as const;

/** The graph page has its own policy; pages of this origin may frame it. */
export const GRAPH_POLICY = "frame-ancestors 'self'";
