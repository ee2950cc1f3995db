import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8");
const STYLE = read("../../graph-view/graph.css") + read("./client/page.css");
/** Values of `light-dark()` in each mode. */
const colors = (at: number): ReadonlyMap<string, string> =>
  new Map(
    [...STYLE.matchAll(/--([a-z\d-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map((found) => [
      found[1]!,
      found[2 + at]!,
    ]),
  );

type Rgb = readonly [number, number, number];

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
const parse = (hex: string): Rgb =>
  [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as unknown as Rgb;
const times = (matrix: readonly Rgb[], [r, g, b]: Rgb): Rgb =>
  matrix.map(([x, y, z]) => Math.max(0, Math.min(1, x * r + y * g + z * b))) as unknown as Rgb;

/**
 * Complete color blindness of each kind in linear RGB (Machado, Oliveira and Fernandes 2009,
 * doi:10.1109/TVCG.2009.113).
 */
const SIGHTS: readonly (readonly [string, readonly Rgb[]])[] = [
  [
    "full color",
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
  ],
  [
    "protanopia",
    [
      [0.152286, 1.052583, -0.204868],
      [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ],
  ],
  [
    "deuteranopia",
    [
      [0.367322, 0.860646, -0.227968],
      [0.280085, 0.672501, 0.047413],
      [-0.01182, 0.04294, 0.968881],
    ],
  ],
];

/** Distance in Oklab (Ottosson 2020); about .02 is just noticeable. */
function distance(one: Rgb, other: Rgb): number {
  const [a, b] = [one, other].map((rgb) => {
    const cone = times3(
      [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
      ],
      rgb,
    ).map(Math.cbrt) as unknown as Rgb;
    return times3(
      [
        [0.2104542553, 0.793617785, -0.0040720468],
        [1.9779984951, -2.428592205, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.808675766],
      ],
      cone,
    );
  });
  return Math.hypot(a![0] - b![0], a![1] - b![1], a![2] - b![2]);
}

function times3(matrix: readonly Rgb[], [r, g, b]: Rgb): Rgb {
  return matrix.map(([x, y, z]) => x * r + y * g + z * b) as unknown as Rgb;
}

const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrast = (one: Rgb, other: Rgb): number => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

describe.each([
  ["light", colors(0)],
  ["dark", colors(1)],
])("the %s colors", (_, mode) => {
  const communities = Array.from({ length: 13 }, (__, slot) => parse(mode.get(`community-${slot}`)!));

  it.each(SIGHTS)("are distinguishable with %s", (__, matrix) => {
    const seen = communities.map((rgb) => times(matrix, rgb));
    const close = seen
      .flatMap((one, a) => seen.slice(a + 1).map((other, at) => [a, a + 1 + at, distance(one, other)] as const))
      .filter(([, , d]) => !(d >= 0.04));
    expect(close).toEqual([]);
  });

  it("have enough contrast with the paper, also for text (WCAG 2.2)", () => {
    const paper = parse(mode.get("paper")!);
    const panel = parse(mode.get("panel")!);
    for (const rgb of communities) expect(contrast(rgb, paper)).toBeGreaterThan(1.7);
    for (const name of ["ink", "quiet", "accent"])
      for (const ground of [paper, panel]) expect(contrast(parse(mode.get(name)!), ground)).toBeGreaterThan(4.5);
  });
});
