import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keptItemsOf } from "../../../test/kept-items.ts";
import { SOME_FORMATS } from "../../../test/pst-writer/items-of-store.ts";
import { binary, integer, text } from "../../../test/pst-writer/property-writer.ts";
import { buildStore } from "../../../test/pst-writer/sample-store.ts";
import { mailProperties } from "../../../test/pst-writer/store-writer.ts";
import { conditionBlob, contains, forwardBlob } from "../../../test/rule-blobs.ts";
import { PID } from "../../properties/property-ids.ts";
import { pst } from "./pst.ts";

const mail = mailProperties({ subject: "s", body: "b", sentAt: 0, from: "ann@mill.example" });
const asClass = (messageClass: string) => text(PID.messageClass, messageClass);

describe.each(SOME_FORMATS)("associated items of folders in a $layout store, encoding $encoding", (format) => {
  it("are imported if they are rules, and counted by class if they are settings", async () => {
    const directory = mkdtempSync(join(tmpdir(), "store-"));
    try {
      const path = join(directory, "made.pst");
      const bytes = buildStore(format, (store) => {
        const inbox = store.addFolder("Inbox");
        store.addMessage(inbox, { properties: mail });
        store.addMessage(inbox, {
          properties: [
            ...mail.filter(({ id }) => id !== PID.messageClass),
            asClass("IPM.Note.Rules.OofTemplate.Microsoft"),
          ],
        });
        store.addAssociated(inbox, {
          properties: [
            asClass("IPM.ExtendedRule.Message"),
            text(PID.ruleMessageName, "Quietly to Bob"),
            text(PID.ruleMessageProvider, "RuleOrganizer"),
            integer(PID.ruleMessageState, 5),
            binary(PID.extendedRuleConditions, conditionBlob(contains(PID.subject, "merger"))),
            binary(PID.extendedRuleActions, forwardBlob("Bob Roe", "bob@other.example")),
          ],
        });
        store.addAssociated(inbox, {
          properties: [asClass("IPM.Note.Rules.OofTemplate.Microsoft"), text(PID.body, "Back on Monday.")],
        });
        store.addAssociated(inbox, {
          properties: [
            asClass("IPM.RuleOrganizer"),
            binary(
              PID.rulesStream,
              Buffer.concat([Buffer.from([0, 9, 0]), Buffer.from("carl@rival.example", "utf16le")]),
            ),
          ],
        });
        for (const name of ["View", "View", "Calendar"])
          store.addAssociated(inbox, { properties: [asClass(`IPM.Configuration.${name}`)] });
      });
      writeFileSync(path, bytes);
      const opened = await pst.open(path, { password: null, skipProtected: false });
      const items = await keptItemsOf(opened.units());
      expect(items.map(({ kind }) => kind)).toEqual(["object", "object", "item", "item", "item"]);
      const kept = items.flatMap((item) => (item.kind === "item" ? [item] : []));
      expect(kept.map(({ mailbox }) => mailbox)).toEqual(["Inbox", "Inbox", "Inbox"]);
      expect(kept.map(({ item }) => item)).toEqual([
        {
          kind: "rule",
          subject: "Quietly to Bob",
          fields: {
            message_class: "IPM.ExtendedRule.Message",
            provider: "RuleOrganizer",
            enabled: "yes",
            only_when_out_of_office: "yes",
            conditions: 'subject contains "merger"',
            actions: "forward to Bob Roe <bob@other.example>",
          },
        },
        {
          kind: "out_of_office",
          subject: "",
          fields: { message_class: "IPM.Note.Rules.OofTemplate.Microsoft", body: "Back on Monday." },
        },
        {
          kind: "rule",
          subject: "",
          fields: { message_class: "IPM.RuleOrganizer", texts: "carl@rival.example" },
        },
      ]);
      expect(opened.notes.map((note) => ("code" in note ? [note.code, note.message] : []))).toEqual([
        [
          "settings-left-out",
          "3 folder views and settings skipped: IPM.Configuration.View (2), IPM.Configuration.Calendar (1)",
        ],
      ]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
