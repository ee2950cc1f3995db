import { describe, expect, it } from "vitest";
import { decapsulateAddress } from "./encapsulated-address.ts";

describe("decapsulateAddress", () => {
  it.each([
    [
      "a name and an address",
      "Jim Doe jim@example.org@NOTES",
      "IMCEANOTES-+22Jim+20Doe+22+20+3Cjim+40example+2Eorg+3E+40NOTES@corp.example",
      "Jim Doe",
      "jim@example.org",
    ],
    [
      "a bare address",
      "jim@example.org@NOTES",
      "IMCEANOTES-jim+40example+2Eorg+40NOTES@corp.example",
      "",
      "jim@example.org",
    ],
    [
      "a bare address and a comment",
      "x",
      "IMCEANOTES-jim+40example+2Eorg+20+28Jim+29+40NOTES@corp.example",
      "x",
      "jim@example.org",
    ],
    [
      "an Exchange name",
      "Jim",
      "IMCEAEX-_O=CORP_OU=NA_CN=RECIPIENTS_CN=jim@corp.example",
      "Jim",
      "/O=CORP/OU=NA/CN=RECIPIENTS/CN=jim",
    ],
    [
      "a group without members",
      "",
      "IMCEANOTES-+3CUndisclosed-Recipient+3A+40mail+2Eexample+3B+3E@corp.example",
      "Undisclosed-Recipient",
      "",
    ],
    ["a group of Notes", "All", "IMCEANOTES-All+40NOTES@corp.example", "All", "All@NOTES"],
    [
      "a group with blanks in its name",
      "All Quay",
      "IMCEANOTES-All+20Quay+20-+20Everyone+40MILL@corp.example",
      "All Quay",
      '"All Quay - Everyone"@MILL',
    ],
    [
      "a fax",
      "Quay",
      "IMCEAFAX-Quay+40+2B44+20555+200101@corp.example",
      "Quay",
      "IMCEAFAX-Quay+40+2B44+20555+200101@corp.example",
    ],
    ["what decodes to nothing", "x", "IMCEANOTES-+40@corp.example", "x", "IMCEANOTES-+40@corp.example"],
    ["a line feed", "x", "IMCEANOTES-a+0Ab+40c@corp.example", "x", "IMCEANOTES-a+0Ab+40c@corp.example"],
    [
      "an address of Notes",
      "Jim Doe",
      "IMCEANOTES-Jim+20Doe_Quay_Mill+40Mill@corp.example",
      "Jim Doe",
      "Jim Doe/Quay/Mill@Mill",
    ],
    ["a plain address", "Jim", "jim@example.org", "Jim", "jim@example.org"],
  ])("%s", (_, name, email, expectedName, expectedEmail) => {
    expect(decapsulateAddress({ name, email })).toEqual({ name: expectedName, email: expectedEmail });
  });
});
