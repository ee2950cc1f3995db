import * as z from "zod";
import { FILE_SORTS } from "../../../mail/exploration.ts";
import { ATTACHMENT_TYPES, attachmentType } from "../../../mail/records/attachment-types.ts";
import { queryRoute } from "../../query-api/query-route.ts";
import { filter, sortBy } from "../../query-api/wire-requests.ts";
import { queryParameters } from "../setting/query-parameters.ts";
import { oneOf, page } from "../setting/table-parameters.ts";
import { filesSchema } from "../wire/wire-tables.ts";

export const files = queryRoute({
  path: "/files",
  summary: "Attachments of matching messages, one row per distinct file",
  parameters: z.object({
    ...queryParameters,
    search: filter("substring of a file name, ignoring case and accents"),
    type: oneOf(ATTACHMENT_TYPES, "only files of this type"),
    sort: sortBy(FILE_SORTS),
    ...page,
  }),
  data: filesSchema,
  async answer({ archive, parameters: { q, search = "", type = null, ...rest } }) {
    const {
      files: found,
      types,
      sizeBytes,
      ...figures
    } = await archive.explore.files({ query: q, search, type, ...rest });
    const ids = Array.from(new Set(found.map(({ messageId }) => messageId)));
    const subjects = new Map((await archive.messages.getMany(ids)).map(({ id, subject }) => [id, subject]));
    return {
      ...figures,
      size_bytes: sizeBytes,
      types: [...types],
      files: found.map((file) => ({
        sha256: file.sha256,
        filename: file.filename,
        name_count: file.nameCount,
        media_type: file.mediaType,
        type: attachmentType(file),
        size_bytes: file.sizeBytes,
        messages: file.messages,
        message_id: file.messageId,
        subject: subjects.get(file.messageId) ?? "",
        number: file.number,
      })),
    };
  },
});
