import { ArchiveError } from "../errors.ts";
import type { SearchReader } from "../mail/archive.ts";

/** Search over an archive that has no index. */
export const absentSearch: SearchReader = {
  async search() {
    throw new ArchiveError("UNIMPLEMENTED", "this archive has no search index", { hint: "extract again with this version of archivetool" });
  },
};
