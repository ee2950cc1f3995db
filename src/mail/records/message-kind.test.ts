import { expect, it } from "vitest";
import { kindText, kindTokens, MESSAGE_KINDS } from "./message-kind.ts";

it("matches a kind by name and by family", () => {
  expect(kindTokens("meeting_request")).toEqual(["meetingrequest", "meeting"]);
  expect(kindTokens("vault_stub")).toEqual(["vaultstub"]);
  const own = MESSAGE_KINDS.map((kind) => kindTokens(kind)[0]);
  expect(new Set(own).size).toBe(MESSAGE_KINDS.length);
});

it("is written in words for people", () => {
  expect(kindText("non_delivery_report")).toBe("non delivery report");
});
