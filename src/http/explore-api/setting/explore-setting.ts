import type { OriginalThread } from "../../../originals/original-thread.ts";
import type { RouteRequest } from "../../route-row.ts";

/** What a server knows about an archive in addition to its contents. */
export interface ExploreSetting {
  /** What it is called: an upload by its file. */
  readonly name: string;
  /** True if the archive has a notebook that can be edited. */
  readonly hasNotebook: boolean;
  /** What reads its originals; null where they would have to be brought here first, for which nobody waits. */
  readonly originals: (() => Promise<OriginalThread>) | null;
}

/** The parts of a request passed to routes that need them. */
export type ExploreRequest<Q = unknown> = Pick<
  RouteRequest<ExploreSetting, Q, unknown>,
  "archive" | "id" | "setting" | "parameters"
>;
