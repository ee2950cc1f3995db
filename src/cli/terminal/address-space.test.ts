import { expect, it } from "vitest";
import { requireAddressSpace } from "./address-space.ts";

const limits = (soft: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax address space         ${soft.padEnd(20)} unlimited            bytes\n`;

it("rejects an address space that is too small for a thread", () => {
  for (const text of ["", limits("unlimited"), limits("2560000000")])
    expect(() => requireAddressSpace(text)).not.toThrow();
  expect(() => requireAddressSpace(limits("1024000000"))).toThrow(
    expect.objectContaining({
      code: "EXTRACTION_CRASHED",
      message: "not enough memory: the address space is limited to 1.0 GB",
      hint: "raise the limit to 2.5 GB or more: ulimit -v 2441407",
    }),
  );
});
