import { expect, it } from "vitest";
import { isPreformatted } from "./text-shape.ts";

it("distinguishes patches and tables from letters", () => {
  expect(isPreformatted("Please apply.\n\ndiff --git a/x.c b/x.c\n@@ -0,0 +1 @@\n+int x;\n")).toBe(true);
  expect(isPreformatted("@@ -1,2 +1,3 @@\n-a\n+b")).toBe(true);
  expect(isPreformatted("Item     Price\nRope     12.00\nLine     3.50\nHook     1.00\nTotal    16.50\n")).toBe(true);
  expect(isPreformatted("Dear Ann,\n\nthe rope   is here.\nYours\nBen\n")).toBe(false);
  expect(isPreformatted("Regards,\n  Ann  \n--- \nHarbour office\n")).toBe(false);
});
