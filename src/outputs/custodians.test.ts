import { expect, it } from "vitest";
import { custodianNames, parseCustodian } from "./custodians.ts";

const PATHS = ["/mail/export/ann.pst", "/mail/bob/inbox.mbox", "/mail/cy/inbox.mbox", "C:\\mail\\dee\\", "/"];

it("uses file names, and numbers equal ones", () => {
  expect(custodianNames(PATHS, [])).toEqual(["ann", "inbox", "inbox (2)", "dee", "source 4"]);
});

it("accepts paths, file names and numbers; several sources may have one custodian", () => {
  const given = ["ann.pst=Ann Abel", "/mail/cy/inbox.mbox=Cy", "1=Ann Abel"].map(parseCustodian);
  expect(custodianNames(PATHS, given).slice(0, 3)).toEqual(["Ann Abel", "Ann Abel", "Cy"]);
});

it("never names a source after another custodian", () => {
  expect(custodianNames(PATHS, [parseCustodian("1=ann")])[0]).toBe("ann (2)");
});

it.each(["inbox.mbox=Bob", "nobody.pst=Eve", "9=Eve"])("rejects %s", (text) => {
  expect(() => custodianNames(PATHS, [parseCustodian(text)])).toThrow("is not a unique source of this archive");
});

it("accepts a path with an equals sign", () => {
  expect(parseCustodian("/a=b/c.pst=Ann")).toEqual({ source: "/a=b/c.pst", name: "Ann" });
  for (const text of ["ann", "=ann", "ann=", ""]) expect(() => parseCustodian(text)).toThrow("SOURCE=NAME");
});
