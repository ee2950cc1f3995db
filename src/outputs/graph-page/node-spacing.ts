/** Circles with centers in world units, moved in place. */
interface Circles {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly radius: ArrayLike<number>;
}

/** Passes over all overlapping pairs; crowded centers are spread out after about ten. */
const PASSES = 24;
/** Free space between two circles. */
const GAP = 3;

/**
 * Pushes overlapping circles apart, the smaller one further, until every one is visible and clickable. A sweep from
 * left to right finds the pairs: about n · √n of them. Equal input, equal result.
 */
export function separateCircles(circles: Circles): void {
  const { x, radius } = circles;
  const order = Array.from(x.keys());
  let widest = 0;
  for (const at of order) widest = Math.max(widest, radius[at]!);
  for (let pass = 0; pass < PASSES; pass++) {
    order.sort((a, b) => x[a]! - x[b]! || a - b);
    if (!sweep(circles, order, widest)) break;
  }
}

/** One pass, from left to right; returns false if no circles touched. */
function sweep(circles: Circles, order: readonly number[], widest: number): boolean {
  const { x, radius } = circles;
  let hasTouched = false;
  for (let left = 0; left < order.length; left++) {
    const one = order[left]!;
    for (let right = left + 1; right < order.length; right++) {
      const other = order[right]!;
      if (x[other]! - x[one]! > radius[one]! + widest + GAP) break;
      if (pushApart(circles, one, other)) hasTouched = true;
    }
  }
  return hasTouched;
}

/** Share of circles in the core of the graph, and the remaining share of the distance beyond it. */
const CORE_SHARE = 0.96;
const OUTSIDE_SHRINK = 0.12;

/**
 * Moves isolated circles (contacts without ties) closer: a few of them would shrink everything else to fit the page.
 */
export function drawInStragglers({ x, y, radius }: Circles): void {
  const reach = Float64Array.from(x, (_, at) => Math.hypot(x[at]!, y[at]!) + radius[at]!);
  const core = reach.toSorted()[Math.floor((reach.length - 1) * CORE_SHARE)] ?? 0;
  for (let at = 0; at < x.length; at++) {
    if (reach[at]! <= core) continue;
    const factor = (core + (reach[at]! - core) * OUTSIDE_SHRINK) / reach[at]!;
    x[at]! *= factor;
    y[at]! *= factor;
  }
}

function pushApart({ x, y, radius }: Circles, one: number, other: number): boolean {
  const dx = x[other]! - x[one]!;
  const dy = y[other]! - y[one]!;
  const wanted = radius[one]! + radius[other]! + GAP;
  const squared = dx * dx + dy * dy;
  if (squared >= wanted * wanted) return false;
  const distance = Math.sqrt(squared);
  // Two circles at the same position separate in a direction that depends only on their indices.
  const angle = distance === 0 ? one * 2.4 + other : 0;
  const ux = distance === 0 ? Math.cos(angle) : dx / distance;
  const uy = distance === 0 ? Math.sin(angle) : dy / distance;
  const overlap = wanted - distance;
  const share = radius[other]! ** 2 / (radius[one]! ** 2 + radius[other]! ** 2);
  x[one]! -= ux * overlap * share;
  y[one]! -= uy * overlap * share;
  x[other]! += ux * overlap * (1 - share);
  y[other]! += uy * overlap * (1 - share);
  return true;
}
