import { HeldRange } from "../../search/held-range.ts";
import type { SearchedRange } from "../../search/searched-range.ts";
import type { RangePlace } from "../range-place.ts";
import { type OpenEpoch, openNumberedEpoch } from "./epochs.ts";
import { openRangeSource } from "./range-source.ts";
import { type IndexFrame, openFrame } from "./search-source.ts";

interface ShelvedEpoch {
  readonly epoch: OpenEpoch;
  readonly frame: IndexFrame;
}

interface ShelvedRange {
  readonly place: RangePlace;
  readonly range: Promise<SearchedRange>;
  /** True since it was asked, until the next sweep. */
  isAsked: boolean;
}

/**
 * The ranges of collections that a process searches, for itself and for others: each is read when it is first asked, and
 * given up when it was not asked from one sweep to the next. A state of a collection stays in the database as long as a
 * range of it is here, whatever is published meanwhile.
 */
export class RangeShelf {
  private readonly server: string;
  private readonly epochs = new Map<string, Promise<ShelvedEpoch>>();
  private readonly ranges = new Map<string, ShelvedRange>();

  constructor(server: string) {
    this.server = server;
  }

  /** Rejects with SOURCE_NOT_FOUND for a state that is gone, and as archives do that are opened. */
  at(place: RangePlace): Promise<SearchedRange> {
    const key = `${epochKey(place)} ${place.first} ${place.end}`;
    const known = this.ranges.get(key) ?? { place, range: this.open(place), isAsked: true };
    known.isAsked = true;
    this.ranges.set(key, known);
    known.range.catch(() => this.ranges.delete(key));
    return known.range;
  }

  /** What is held now. */
  get places(): readonly RangePlace[] {
    return Array.from(this.ranges.values(), ({ place }) => place);
  }

  /** Gives up what nobody asked since the last sweep. */
  async sweep(): Promise<void> {
    for (const [key, range] of this.ranges)
      if (range.isAsked) range.isAsked = false;
      else this.ranges.delete(key);
    const held = new Set(this.places.map(epochKey));
    for (const key of this.epochs.keys()) if (!held.has(key)) await this.shut(key);
  }

  async close(): Promise<void> {
    this.ranges.clear();
    for (const key of this.epochs.keys()) await this.shut(key);
  }

  private async open(place: RangePlace): Promise<SearchedRange> {
    const { epoch, frame } = await this.epochOf(place);
    return new HeldRange(await openRangeSource(epoch, frame, place));
  }

  private epochOf(place: RangePlace): Promise<ShelvedEpoch> {
    const key = epochKey(place);
    const known = this.epochs.get(key);
    if (known !== undefined) return known;
    const opened = this.openEpoch(place);
    this.epochs.set(key, opened);
    opened.catch(() => this.epochs.delete(key));
    return opened;
  }

  private async openEpoch({ epoch: number, isNotebookHidden }: RangePlace): Promise<ShelvedEpoch> {
    const epoch = await openNumberedEpoch(this.server, number, isNotebookHidden);
    return { epoch, frame: await openFrame(epoch) };
  }

  private async shut(key: string): Promise<void> {
    const opened = this.epochs.get(key);
    this.epochs.delete(key);
    const shelved = await opened?.catch(() => null);
    await shelved?.epoch.close();
  }
}

/** The same state is two for those who may find by its notebook and those who may not. */
function epochKey({ epoch, isNotebookHidden }: RangePlace): string {
  return `${epoch} ${isNotebookHidden}`;
}
