import { expect, it } from "vitest";
import { kindText, kindTokens, MESSAGE_KINDS } from "./message-kind.ts";

it("finds a kind by its own word, and by that of its family", () => {
  expect(kindTokens("meeting_request")).toEqual(["meetingrequest", "meeting"]);
  expect(kindTokens("vault_stub")).toEqual(["vaultstub"]);
  const own = MESSAGE_KINDS.map((kind) => kindTokens(kind)[0]);
  expect(new Set(own).size).toBe(MESSAGE_KINDS.length);
});

it("is written in words for people", () => {
  expect(kindText("non_delivery_report")).toBe("non delivery report");
});
