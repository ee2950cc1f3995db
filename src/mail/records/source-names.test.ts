import { expect, it } from "vitest";
import { shortNames } from "./source-names.ts";

it("uses the last path segment, or more if several are equal", () => {
  expect(shortNames(["/mail/ann/inbox.mbox", "/mail/bob/inbox.mbox", "/mail/carol.pst"])).toEqual([
    "/mail/ann/inbox.mbox",
    "/mail/bob/inbox.mbox",
    "carol.pst",
  ]);
  expect(shortNames(["C:\\Mail\\old\\", "mail.zip"])).toEqual(["old\\", "mail.zip"]);
});
