/** Ways in which a store is damaged on disks and in transfers, each the same for the same seed. */
export type DamageKind = "truncated" | "bits" | "bytes" | "pages-swapped" | "zeroed" | "loops";
export const DAMAGE_KINDS: readonly DamageKind[] = ["truncated", "bits", "bytes", "pages-swapped", "zeroed", "loops"];

const PAGE = 512;

/** mulberry32: small, seeded, and good enough to choose positions. */
function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below);
  };
}

/** A damaged copy. The first bytes stay, because a file that is not a PST is a different case. */
export function damageStore(store: Buffer, kind: DamageKind, seed: number): Buffer {
  const bytes = Buffer.from(store);
  const random = randomOf(seed * 7919 + DAMAGE_KINDS.indexOf(kind));
  const spot = (): number => 16 + random(bytes.length - 16);
  const pageAt = (): number => (1 + random(Math.floor(bytes.length / PAGE) - 2)) * PAGE;
  if (kind === "truncated") return bytes.subarray(0, 600 + random(bytes.length - 600));
  const times = 1 + random(kind === "bits" ? 200 : 40);
  for (let time = 0; time < times; time++) {
    if (kind === "bits") {
      const at = spot();
      bytes[at] = bytes[at]! ^ (1 << random(8));
    } else if (kind === "bytes") bytes[spot()] = random(256);
    else if (kind === "pages-swapped") swapPages(bytes, pageAt(), pageAt());
    else if (kind === "zeroed") bytes.fill(0, ...range(pageAt(), PAGE));
    else copyField(bytes, pageAt() + 8 * random(60), pageAt() + 8 * random(60));
  }
  return bytes;
}

function range(start: number, length: number): [number, number] {
  return [start, start + length];
}

function swapPages(bytes: Buffer, left: number, right: number): void {
  const kept = Buffer.from(bytes.subarray(left, left + PAGE));
  bytes.copy(bytes, left, right, right + PAGE);
  kept.copy(bytes, right);
}

/** Copies eight bytes over others: pointers then have the targets of others, and sooner or later form cycles. */
function copyField(bytes: Buffer, from: number, to: number): void {
  bytes.copy(bytes, to, from, from + 8);
}
