import { describe, expect, it } from "vitest";
import { Camera } from "../painting/camera.ts";
import { batchEdges } from "../painting/edge-batches.ts";
import type { GraphData } from "./graph-data.ts";
import { COLORED, communityOf, nameOf, otherEnd, readModel, tiesOf } from "./graph-model.ts";
import { GraphState } from "./graph-state.ts";
import {
  countOf,
  describeCut,
  describeSize,
  formatDay,
  formatMonth,
  formatScore,
  monthOf,
  readMonth,
  writeMonth,
} from "./wording.ts";

const MAY = Date.UTC(2001, 4, 14) / 1000;
const DATA = {
  generator: "archivetool 1.0",
  extractedAt: MAY,
  totals: { contacts: 4, edges: 6 },
  communities: [
    { id: "community-001", name: "Ann" },
    { id: "community-002", name: "Bob" },
  ],
  nodes: {
    id: ["contact-1", "contact-2", "contact-3"],
    name: ["Ann", "", ""],
    email: ["ann@x.example", "bob@x.example", ""],
    messages: [400, 100, 0],
    community: [0, 0, 1],
    x: [0, 10, 20],
    y: [0, 0, 5],
    firstSeen: [MAY, null, MAY + 1_000],
    lastSeen: [MAY + 500, null, MAY + 2_000],
  },
  ties: { a: [0, 0], b: [1, 2], there: [350, 1], back: [0, 2], skeleton: 1 },
} as unknown as GraphData;
const MODEL = readModel(DATA);

describe("the model", () => {
  it("has the ties of each node and who is at their other end", () => {
    expect([0, 1, 2].map((node) => [...tiesOf(MODEL, node)])).toEqual([[0, 1], [0], [1]]);
    expect([otherEnd(MODEL, 1, 0), otherEnd(MODEL, 1, 2)]).toEqual([2, 0]);
    expect(MODEL.radius[0]).toBeGreaterThan(MODEL.radius[1]!);
  });

  it("labels contacts by name, address or id, and communities by their leader", () => {
    expect([0, 1, 2].map((node) => nameOf(MODEL, node))).toEqual(["Ann", "bob@x.example", "contact-3"]);
    expect(communityOf(MODEL, 2)).toBe("Community 2: Bob");
  });
});

it("draws ties of one look together, the skeleton last", () => {
  const batches = batchEdges(MODEL);
  expect(batches.map(({ slot, ties }) => [slot, [...ties]])).toEqual([
    [-1, [1]],
    [0, [0]],
  ]);
  expect(batches[1]!.widthPx).toBeGreaterThan(batches[0]!.widthPx);
  expect(batches[1]!.opacity).toBeGreaterThan(batches[0]!.opacity);
});

describe("the state", () => {
  it("reports a change of focus once", () => {
    const state = new GraphState(MODEL);
    const changes: string[] = [];
    state.listen((change) => changes.push(change));
    state.select(1);
    state.select(1);
    state.hover(2);
    expect([changes, state.focus]).toEqual([["focus", "focus"], 2]);
    state.hover(-1);
    expect(state.focus).toBe(1);
  });

  it("hides contacts by community and period, and restores them", () => {
    const state = new GraphState(MODEL);
    state.select(2);
    state.showSlots((slot) => slot !== 1);
    expect([[...state.visible], state.selected, state.visibleCount]).toEqual([[1, 1, 0], -1, 2]);
    state.showSlots((slot) => slot <= COLORED);
    state.showSpan({ from: MAY + 600, to: MAY + 1_500 });
    expect([...state.visible]).toEqual([0, 0, 1]);
    state.showSpan(null);
    expect(state.visibleCount).toBe(3);
  });
});

describe("the camera", () => {
  const world = { left: 0, top: 0, right: 1_000, bottom: 500 };
  const still = (): Camera => {
    const camera = new Camera(() => true);
    camera.resize(800, 600, world);
    return camera;
  };

  it("shows the complete graph first, and converts screen positions", () => {
    const camera = still();
    expect(camera.zoom).toBe(1);
    const [x, y] = camera.toScreen(500, 250);
    expect([x, y]).toEqual([400, 300]);
    expect(camera.toWorld(x, y)).toEqual([500, 250]);
  });

  it("keeps the point under the pointer when zooming, within its limits", () => {
    const camera = still();
    const before = camera.toWorld(100, 100);
    camera.zoomAt(2, 100, 100);
    expect(camera.toWorld(100, 100).map((part) => Math.round(part))).toEqual(before.map((part) => Math.round(part)));
    camera.zoomAt(1_000, 0, 0);
    expect(camera.zoom).toBeCloseTo(24);
    camera.zoomAt(1e-6, 0, 0);
    expect(camera.zoom).toBeCloseTo(0.4);
  });

  it("animates unless motion is reduced", () => {
    const camera = new Camera(() => false);
    camera.resize(800, 600, world);
    camera.center(0, 0, 4, 0);
    expect(camera.toScreen(0, 0)).not.toEqual([400, 300]);
    expect([camera.advance(100), camera.advance(1_000), camera.advance(2_000)]).toEqual([true, false, false]);
    expect(camera.toScreen(0, 0)).toEqual([400, 300]);
    const quiet = still();
    quiet.center(0, 0, 4, 0);
    expect(quiet.toScreen(0, 0)).toEqual([400, 300]);
  });

  it("keeps its center when the window changes", () => {
    const camera = still();
    camera.pan(-50, 20);
    const middle = camera.toWorld(400, 300).map(Math.round);
    camera.resize(400, 300, world);
    expect(camera.toWorld(200, 150).map(Math.round)).toEqual(middle);
  });
});

describe("text next to the graph", () => {
  it("counts and dates", () => {
    expect([countOf(1, "contact"), countOf(2_000, "edge")]).toEqual(["1 contact", "2,000 edges"]);
    expect([formatDay(MAY), formatDay(null)]).toEqual(["2001-05-14", "–"]);
    expect([0, 0.0001, 0.25].map(formatScore)).toEqual(["0", "< 0.001", "0.250"]);
    expect(formatMonth(monthOf(MAY))).toBe("May 2001");
  });

  it("reads the months that it writes", () => {
    const month = monthOf(MAY);
    expect([writeMonth(month), readMonth("2001-05"), readMonth("May 2001")]).toEqual(["2001-05", month, null]);
  });

  it("describes displayed and omitted contacts", () => {
    expect(describeSize(DATA)).toBe("3 of 4 contacts, 3 of 6 edges");
    expect(describeCut(DATA)).toContain("Omitted: 1 contact and 3 edges");
    expect(describeCut({ ...DATA, totals: { contacts: 3, edges: 3 } })).toContain("The whole archive is shown");
  });
});
