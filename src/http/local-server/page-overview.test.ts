import { expect, it } from "vitest";
import { html } from "./markup.ts";
import { timelineBars } from "./page-overview.ts";

const month = (name: string, messages: number) => ({ month: name, messages });

it("draws every month from the first to the last, empty ones too", () => {
  expect(timelineBars([month("2000-11", 5), month("2001-02", 7)])).toEqual([
    { span: "2000-11", messages: 5 },
    { span: "2000-12", messages: 0 },
    { span: "2001-01", messages: 0 },
    { span: "2001-02", messages: 7 },
  ]);
  expect(timelineBars([])).toEqual([]);
  expect(timelineBars([month("2001-02", 1)])).toEqual([{ span: "2001-02", messages: 1 }]);
});

it("leaves out the strays of wrong clocks at both ends", () => {
  const bars = timelineBars([
    month("0001-01", 1),
    month("1980-01", 1),
    month("2001-01", 5000),
    month("2001-02", 5000),
    month("2044-01", 2),
  ]);
  expect(bars.map(({ span }) => span)).toEqual(["2001-01", "2001-02"]);
});

it("keeps thin ends that follow without a long gap", () => {
  const bars = timelineBars([
    month("1990-01", 1),
    month("1999-06", 1),
    month("2001-01", 9000),
    month("2002-12", 1),
    month("2005-01", 1),
  ]);
  expect([bars[0]?.span, bars.at(-1)?.span]).toEqual(["1999-06", "2002-12"]);
});

it("draws years when there are too many months", () => {
  const bars = timelineBars([month("1980-05", 100), month("1980-06", 1), month("2010-01", 200)]);
  expect(bars).toHaveLength(31);
  expect(bars[0]).toEqual({ span: "1980", messages: 101 });
  expect(bars.at(-1)).toEqual({ span: "2010", messages: 200 });
});

it("escapes every value, and markup only once", () => {
  const inner = html`<b>${"a & b"}</b>`;
  expect(html`<p title="${"\"'>"}">${[inner, inner]}${"<script>"}${7}</p>`.text).toBe(
    '<p title="&quot;&#39;&gt;"><b>a &amp; b</b><b>a &amp; b</b>&lt;script&gt;7</p>',
  );
});
