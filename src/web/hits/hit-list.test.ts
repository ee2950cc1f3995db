import { expect, it } from "vitest";
import { csvOf, queriesOf } from "./hit-list.ts";

it("takes one query a line, whatever ends lines", () => {
  expect(queriesOf(" mooring rope \r\n\n\rfrom:ann\n")).toEqual(["mooring rope", "from:ann"]);
});

it("writes cells that are quoted where they must be, and are no formulas", () => {
  const hit = { problems: [], messages: 2, conversations: 1, first: null, last: "2001-05-14T16:39:00Z" };
  const csv = csvOf([
    { ...hit, query: 'subject:"a, b"' },
    { ...hit, query: "-draft", problems: ["a", "b"] },
  ]);
  expect(csv).toBe(
    "\uFEFFquery,messages,conversations,first,last,problems\r\n" +
      '"subject:""a, b""",2,1,,2001-05-14T16:39:00Z,\r\n' +
      "'-draft,2,1,,2001-05-14T16:39:00Z,a; b\r\n",
  );
});
