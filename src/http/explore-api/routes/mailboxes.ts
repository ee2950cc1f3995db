import { queryRoute } from "../../query-api/query-route.ts";
import { noParameters } from "../../query-api/wire-requests.ts";
import { countLinks } from "../setting/count-links.ts";
import { mailboxTreeSchema } from "../wire/wire-provenance.ts";
import { mailboxTree } from "./mailbox-tree.ts";
import { messagesOfSources } from "./provenance.ts";

export const mailboxes = queryRoute({
  path: "/mailboxes",
  summary: "Sources and folders as a tree, with item counts",
  parameters: noParameters,
  data: mailboxTreeSchema,
  async answer({ archive }) {
    const { sources } = await archive.provenance();
    const waysOf = await countLinks(archive);
    const tree = mailboxTree(sources, await archive.messages.mailboxes(), await messagesOfSources(archive));
    const rows = tree.map(({ counts, ...row }) => ({
      ...row,
      counts,
      ways: counts === null ? null : waysOf({ ...row, mailbox: row.depth === 0 ? null : row.name, counts }),
    }));
    return { total: rows.filter(({ name }) => name !== null).length, rows };
  },
});
