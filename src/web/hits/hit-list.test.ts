import { expect, it } from "vitest";
import { csvOf, queriesOf } from "./hit-list.ts";

it("reads one query per line, with any line end", () => {
  expect(queriesOf(" mooring rope \r\n\n\rfrom:ann\n")).toEqual(["mooring rope", "from:ann"]);
});

it("quotes cells where necessary, and escapes formulas", () => {
  const figures = {
    messages: 2,
    attachments: 3,
    conversations: 1,
    conversation_messages: 5,
    first: null,
    last: "2001-05-14T16:39:00Z",
  };
  const csv = csvOf({
    hits: [
      { ...figures, query: 'subject:"a, b"', problems: [], unique: 1, custodians: [{ name: "=Ann", messages: 2 }] },
      { ...figures, query: "-draft", problems: ["a", "b"], unique: 0, custodians: [] },
    ],
    union: { ...figures, custodians: [{ name: "=Ann", messages: 2 }] },
  });
  expect(csv).toBe(
    "\uFEFFquery,messages,unique,attachments,conversations,conversation_messages,first,last,problems,custodian: =Ann\r\n" +
      '"subject:""a, b""",2,1,3,1,5,,2001-05-14T16:39:00Z,,2\r\n' +
      "'-draft,2,0,3,1,5,,2001-05-14T16:39:00Z,a; b,0\r\n" +
      "(all queries),2,,3,1,5,,2001-05-14T16:39:00Z,,2\r\n",
  );
});
