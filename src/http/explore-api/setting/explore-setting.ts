import type { OriginalThread } from "../../../originals/original-thread.ts";
import type { RouteRequest } from "../../route-row.ts";

/** What a server knows of an archive that is explored, beside what is in it. */
export interface ExploreSetting {
  /** What it is called: an upload by its file. */
  readonly name: string;
  /** True where somebody may write beside it. */
  readonly hasNotebook: boolean;
  /** What reads its originals; null where they would have to be brought here first, for which nobody waits. */
  readonly originals: (() => Promise<OriginalThread>) | null;
}

/** What of a request those routes are told that ask for it. */
export type ExploreRequest<Q = unknown> = Pick<
  RouteRequest<ExploreSetting, Q, unknown>,
  "archive" | "id" | "setting" | "parameters"
>;
