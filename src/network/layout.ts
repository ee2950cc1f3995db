import { type Push, Quadtree, WAITING_CELLS } from "./quadtree.ts";

interface LayoutNode {
  readonly community: number;
}

/** Ends are indices into the nodes. */
export interface LayoutEdge {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** Integers around the origin; y grows downwards. */
export interface LayoutPoint {
  readonly x: number;
  readonly y: number;
}

/**
 * Steps for up to 4,000 nodes; larger graphs get fewer, so that the time grows slower than the graph (5,000 nodes: 240
 * steps, 3 s).
 */
const MAX_STEPS = 300;
const MIN_STEPS = 100;
const STEP_BUDGET = 1_200_000;
/** Distance between neighbors in the starting spiral, and length at which an edge rests. */
const SPACING = 12;
const EDGE_LENGTH = 36;
/** Push between two points at distance 1 (as d3's many-body force, but for the sign). */
const REPULSION = 60;
/** Cells seen under a smaller angle than this (side over distance) count as one body. */
const THETA = 1;
/** Pull of a contact towards the center of its community. */
const GRAVITY = 0.04;
/** Pull of a contact towards the middle of its community. */
const COHESION = 0.06;
/** Share of the speed that a step keeps. */
const INERTIA = 0.6;
/** Heat of the last step; it falls from 1 by the same factor each step. */
const LAST_HEAT = 0.005;
/** The turn from one seed of a sunflower to the next. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

interface Motion {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly vx: Float64Array;
  readonly vy: Float64Array;
}

/**
 * Places the nodes of a graph in the plane: communities start as sunflower discs on a larger sunflower, then springs
 * along the edges, repulsion (Barnes-Hut) and a pull to the community's middle settle them. Deterministic: equal input
 * gives an equal picture.
 */
export function layoutGraph(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): readonly LayoutPoint[] {
  if (nodes.length === 0) return [];
  const motion = startingMotion(nodes);
  const springs = springsOf(nodes.length, edges);
  const communities = communityIndex(nodes);
  const steps = Math.max(MIN_STEPS, Math.min(MAX_STEPS, Math.floor(STEP_BUDGET / nodes.length)));
  const cooling = LAST_HEAT ** (1 / steps);
  const tree = new Quadtree(nodes.length);
  const push: Push = {
    strength: 0,
    theta: THETA,
    leastSquared: 1,
    fx: motion.vx,
    fy: motion.vy,
    sides: new Float64Array(WAITING_CELLS),
  };
  let heat = 1;
  for (let step = 0; step < steps; step++) {
    pullSprings(motion, springs, heat);
    pullTogether(motion, communities, heat);
    tree.build(motion.x, motion.y);
    const heated = { ...push, strength: REPULSION * heat };
    for (let node = 0; node < nodes.length; node++) tree.addRepulsion(node, motion.x, motion.y, heated);
    moveNodes(motion, heat);
    heat *= cooling;
  }
  return nodes.map((_, node) => ({ x: Math.round(motion.x[node]!) + 0, y: Math.round(motion.y[node]!) + 0 }));
}

/** Communities numbered without gaps, the largest first, then by their smallest node. */
interface CommunityIndex {
  readonly communityOf: Int32Array;
  readonly sizes: readonly number[];
}

function communityIndex(nodes: readonly LayoutNode[]): CommunityIndex {
  const sizes = new Map<number, number>();
  for (const { community } of nodes) sizes.set(community, (sizes.get(community) ?? 0) + 1);
  const bySize = [...sizes].sort(([, one], [, other]) => other - one);
  const numbers = new Map(bySize.map(([community], number) => [community, number]));
  return {
    communityOf: Int32Array.from(nodes, ({ community }) => numbers.get(community)!),
    sizes: bySize.map(([, size]) => size),
  };
}

function startingMotion(nodes: readonly LayoutNode[]): Motion {
  const { communityOf, sizes } = communityIndex(nodes);
  const placed = new Uint32Array(sizes.length);
  const before: number[] = [];
  let sum = 0;
  for (const size of sizes) {
    before.push(sum + size / 2);
    sum += size;
  }
  const x = new Float64Array(nodes.length);
  const y = new Float64Array(nodes.length);
  for (let node = 0; node < nodes.length; node++) {
    const community = communityOf[node]!;
    const seed = placed[community]!;
    placed[community]!++;
    const outer = community === 0 ? 0 : 2 * SPACING * Math.sqrt(before[community]!);
    const inner = SPACING * Math.sqrt(seed + 0.5);
    x[node] = outer * Math.cos(community * GOLDEN_ANGLE) + inner * Math.cos(seed * GOLDEN_ANGLE);
    y[node] = outer * Math.sin(community * GOLDEN_ANGLE) + inner * Math.sin(seed * GOLDEN_ANGLE);
  }
  return { x, y, vx: new Float64Array(nodes.length), vy: new Float64Array(nodes.length) };
}

interface Springs {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** Share of the correction a step makes, and of it the part that the far end moves. */
  readonly stiffness: Float64Array;
  readonly bias: Float64Array;
}

/**
 * Springs weaken with the number of edges at the less connected end, so that hubs do not collapse; half the stiffness
 * comes from the weight.
 */
function springsOf(nodeCount: number, edges: readonly LayoutEdge[]): Springs {
  const drawn = edges.filter(({ from, to }) => from !== to);
  const degrees = new Uint32Array(nodeCount);
  let heaviest = 0;
  for (const { from, to, weight } of drawn) {
    degrees[from]!++;
    degrees[to]!++;
    heaviest = Math.max(heaviest, weight);
  }
  return {
    from: Uint32Array.from(drawn, ({ from }) => from),
    to: Uint32Array.from(drawn, ({ to }) => to),
    stiffness: Float64Array.from(drawn, ({ from, to, weight }) => {
      const share = heaviest > 0 ? weight / heaviest : 1;
      return (0.5 + 0.5 * share) / Math.min(degrees[from]!, degrees[to]!);
    }),
    bias: Float64Array.from(drawn, ({ from, to }) => degrees[from]! / (degrees[from]! + degrees[to]!)),
  };
}

function pullSprings({ x, y, vx, vy }: Motion, springs: Springs, heat: number): void {
  for (let at = 0; at < springs.from.length; at++) {
    const from = springs.from[at]!;
    const to = springs.to[at]!;
    const dx = x[to]! + vx[to]! - x[from]! - vx[from]!;
    const dy = y[to]! + vy[to]! - y[from]! - vy[from]!;
    const distance = Math.sqrt(dx * dx + dy * dy) || 1;
    const pull = ((distance - EDGE_LENGTH) / distance) * heat * springs.stiffness[at]!;
    const bias = springs.bias[at]!;
    vx[to]! -= dx * pull * bias;
    vy[to]! -= dy * pull * bias;
    vx[from]! += dx * pull * (1 - bias);
    vy[from]! += dy * pull * (1 - bias);
  }
}

function pullTogether({ x, y, vx, vy }: Motion, { communityOf, sizes }: CommunityIndex, heat: number): void {
  const middleX = new Float64Array(sizes.length);
  const middleY = new Float64Array(sizes.length);
  for (let node = 0; node < x.length; node++) {
    middleX[communityOf[node]!]! += x[node]! / sizes[communityOf[node]!]!;
    middleY[communityOf[node]!]! += y[node]! / sizes[communityOf[node]!]!;
  }
  for (let node = 0; node < x.length; node++) {
    const community = communityOf[node]!;
    vx[node]! += heat * (COHESION * (middleX[community]! - x[node]!) - GRAVITY * x[node]!);
    vy[node]! += heat * (COHESION * (middleY[community]! - y[node]!) - GRAVITY * y[node]!);
  }
}

/** Maximum movement in one step while hot; prevents coinciding points from exploding. */
const MAX_STEP = 200;

function moveNodes({ x, y, vx, vy }: Motion, heat: number): void {
  const limit = MAX_STEP * Math.sqrt(heat);
  for (let node = 0; node < x.length; node++) {
    vx[node] = Math.max(-limit, Math.min(limit, vx[node]! * INERTIA));
    vy[node] = Math.max(-limit, Math.min(limit, vy[node]! * INERTIA));
    x[node]! += vx[node]!;
    y[node]! += vy[node]!;
  }
}
