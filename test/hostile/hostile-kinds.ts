import { HOSTILE_BODIES } from "./hostile-bodies.ts";
import { HOSTILE_HEADERS } from "./hostile-headers.ts";
import type { HostileKind } from "./hostile-kind.ts";
import { HOSTILE_PAGES } from "./hostile-pages.ts";
import { HOSTILE_STRUCTURES } from "./hostile-structures.ts";

/** Every kind of hostile message this project knows; benchmarks create large ones, tests small ones. */
export const HOSTILE_KINDS: readonly HostileKind[] = [
  ...HOSTILE_BODIES,
  ...HOSTILE_PAGES,
  ...HOSTILE_HEADERS,
  ...HOSTILE_STRUCTURES,
];
