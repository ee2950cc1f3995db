import { describe, expect, it } from "vitest";
import { directoryNameWithin, isSharedDirectory, parseDirectoryName } from "./directory-name.ts";

describe("parseDirectoryName", () => {
  it.each([
    ["/O=ACME/OU=NA/CN=RECIPIENTS/CN=JDOE", "acme", "JDOE"],
    [
      "/o=ExchangeLabs/ou=Exchange (FYDIBOHF23SPDLT)/cn=Recipients/cn=0123456789abcdef0123456789ABCDEF-jdoe",
      "exchangelabs",
      "JDOE",
    ],
    [
      "/o=acme/cn=recipients/cn=notesaddr/cn=a478079f-55e1f3b0-862566fa-612229",
      "acme",
      "A478079F-55E1F3B0-862566FA-612229",
    ],
    ["/cn=jdoe", "", "JDOE"],
  ])("%s: %s, %s", (text, organization, leaf) => expect(parseDirectoryName(text)).toEqual({ organization, leaf }));

  it("does not read containers and other text as an entry", () => {
    for (const text of [
      "/O=ACME/OU=NA/CN=RECIPIENTS",
      "/O=ACME",
      "jane@x.org",
      "",
      "/o",
      `/o=${"x".repeat(5_000)}/cn=y`,
    ]) {
      expect(parseDirectoryName(text)).toBeNull();
    }
  });

  it("finds the directory name inside a display name", () => {
    expect(directoryNameWithin("Doe, Jane </O=ACME/OU=NA/CN=RECIPIENTS/CN=JDOE>")?.leaf).toBe("JDOE");
    expect(directoryNameWithin("Jane Doe")).toBeNull();
  });

  it("recognizes directories that strangers share", () => {
    expect(isSharedDirectory("exchangelabs")).toBe(true);
    expect(isSharedDirectory("acme")).toBe(false);
  });
});
