import { expect, it } from "vitest";
import { shortNames } from "./source-names.ts";

it("calls sources by their last names, but for those that share one", () => {
  expect(shortNames(["/mail/ann/inbox.mbox", "/mail/bob/inbox.mbox", "/mail/carol.pst"])).toEqual([
    "/mail/ann/inbox.mbox",
    "/mail/bob/inbox.mbox",
    "carol.pst",
  ]);
  expect(shortNames(["C:\\Mail\\old\\", "mail.zip"])).toEqual(["old\\", "mail.zip"]);
});
