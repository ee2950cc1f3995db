import { expect, it } from "vitest";
import { addressOf, placeOf, viewOfPath } from "./addresses.ts";

const at = (address: string) => placeOf(new URL(address, "http://127.0.0.1"));

it.each([
  ["/", "archives"],
  ["/opening", "opening"],
  ["/a/local/", "overview"],
  ["/a/local", "overview"],
  ["/a/local/search?q=mooring+line&sort=newest", "search"],
  ["/a/local/thread/thread-000001#msg-000002", "thread"],
  ["/a/local/message/msg-000002", "message"],
  ["/a/local/id/plan%2F1@harbour.example", "permalink"],
  ["/a/local/people?search=ann", "people"],
  ["/a/local/people/contact-000001", "person"],
  ["/a/local/topics", "topics"],
  ["/a/local/topics/topic-001", "topic"],
  ["/a/local/calendar?month=2001-05", "calendar"],
  ["/a/local/items?kind=task", "items"],
  ["/a/local/files?q=plan", "files"],
  ["/a/local/mailboxes", "mailboxes"],
  ["/a/local/hits", "hits"],
  ["/a/local/notebook?tag=press", "notebook"],
  ["/a/local/about", "about"],
  ["/a/local/about/warnings?code=x", "warnings"],
])("parses %s", (address, view) => {
  const place = at(address)!;
  expect(place.view).toBe(view);
  const { pathname } = new URL(address, "http://127.0.0.1");
  const written = new URL(addressOf(place.view, place), "http://127.0.0.1").pathname;
  expect(decodeURIComponent(written).replace(/\/$/, "")).toBe(decodeURIComponent(pathname).replace(/\/$/, ""));
});

it("keeps any text in paths and parameters", () => {
  const id = "<a/b?c#d & é+%41>@x.example";
  expect(at(addressOf("permalink", { archive: "local", id }))!.id).toBe(id);
  const q = 'from:"Ann Lee" 50% + more & #1 -x:(a OR b)';
  expect(at(addressOf("search", { archive: "local" }, { q, m: null, sort: "" }))!.parameters.get("q")).toBe(q);
  expect(addressOf("search", { archive: "local" }, { q: "from:ann b" })).toBe("/a/local/search?q=from:ann+b");
});

it("returns no view for other paths", () => {
  for (const path of ["/a/", "/a/local/nothing", "/a/local/thread/", "/a/local/people/1/2", "/b", "/a/local/id/%E0"])
    expect(viewOfPath(path)).toBeNull();
});
