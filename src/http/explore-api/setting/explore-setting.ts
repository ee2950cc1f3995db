import type { OriginalThread } from "../../../originals/original-thread.ts";
import type { RouteRequest } from "../../route-row.ts";

/** Data of a server about an archive, besides its content. */
export interface ExploreSetting {
  /** Name; for an upload, of its file. */
  readonly name: string;
  /** True if the archive has a notebook that can be edited. */
  readonly hasNotebook: boolean;
  /** Reader of originals; null if they would have to be downloaded first. */
  readonly originals: (() => Promise<OriginalThread>) | null;
}

/** The parts of a request passed to routes that need them. */
export type ExploreRequest<Q = unknown> = Pick<
  RouteRequest<ExploreSetting, Q, unknown>,
  "archive" | "id" | "setting" | "parameters"
>;
