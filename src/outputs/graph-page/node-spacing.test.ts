import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawInStragglers, separateCircles } from "./node-spacing.ts";

const circle = fc.record({
  x: fc.integer({ min: -400, max: 400 }),
  y: fc.integer({ min: -400, max: 400 }),
  r: fc.integer({ min: 3, max: 30 }),
});

const columns = (circles: readonly { readonly x: number; readonly y: number; readonly r: number }[]) => ({
  x: Float64Array.from(circles, ({ x }) => x),
  y: Float64Array.from(circles, ({ y }) => y),
  radius: circles.map(({ r }) => r),
});

function overlaps({ x, y, radius }: ReturnType<typeof columns>): number {
  let sum = 0;
  for (let one = 0; one < x.length; one++) {
    for (let other = one + 1; other < x.length; other++) {
      sum += Math.max(0, radius[one]! + radius[other]! - Math.hypot(x[one]! - x[other]!, y[one]! - y[other]!));
    }
  }
  return sum;
}

describe("separateCircles", () => {
  it("removes almost all overlap, and keeps separate circles in place", () => {
    fc.assert(
      fc.property(fc.array(circle, { maxLength: 60 }), (circles) => {
        const before = columns(circles);
        const after = columns(circles);
        separateCircles(after);
        expect(overlaps(after)).toBeLessThanOrEqual(Math.max(1, overlaps(before) * 0.05));
      }),
    );
    const apart = columns([
      { x: 0, y: 0, r: 10 },
      { x: 100, y: 0, r: 10 },
    ]);
    separateCircles(apart);
    expect([...apart.x, ...apart.y]).toEqual([0, 100, 0, 0]);
  });

  it("separates overlapping circles, always in the same way", () => {
    const place = () => {
      const circles = columns(Array.from({ length: 20 }, () => ({ x: 5, y: 5, r: 8 })));
      separateCircles(circles);
      return circles;
    };
    expect(overlaps(place())).toBeLessThan(8);
    expect(place()).toEqual(place());
  });
});

it("moves only distant circles closer", () => {
  const crowd = Array.from({ length: 99 }, (_, at) => ({ x: at % 10, y: Math.floor(at / 10), r: 3 }));
  const circles = columns([...crowd, { x: 5_000, y: 0, r: 3 }]);
  drawInStragglers(circles);
  expect(circles.x[99]).toBeLessThan(700);
  expect(circles.x[99]).toBeGreaterThan(20);
  expect(circles.x[50]).toBe(0);
});
