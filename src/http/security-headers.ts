/** Headers of every answer: what is served is read by our own pages only, as what it says it is. */
export const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
} as const;

/** The graph page has its own policy; pages of this origin may frame it. */
export const GRAPH_POLICY = "frame-ancestors 'self'";
