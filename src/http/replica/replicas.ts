import { createHash } from "node:crypto";
import { callRange, rangeBy } from "../../search/range-calls.ts";
import type { RangeCall, SearchedRange } from "../../search/searched-range.ts";
import type { LiveReplica } from "../../store/postgres/replica-register.ts";
import type { RangeHolders, RangePlace } from "../../store/range-place.ts";
import { withPackedNumbers } from "./packed-numbers.ts";
import { RANGE_PATH } from "./range-server.ts";
import { foundWire, type RangeCallWire } from "./wire-ranges.ts";

/** Time that a replica has to answer a call, in milliseconds: one that reads the range first needs some seconds. */
const CALL_LIMIT_MS = 15_000;

/** What a replica knows of itself. */
export interface OwnReplica {
  readonly address: string;
  readonly secret: string;
  rangeAt(place: RangePlace): Promise<SearchedRange>;
}

/**
 * The replicas of a database as one of them sees them. Each works out by itself who holds a range, from those that live:
 * when one comes or goes, only ranges that it holds move. A replica that does not answer is left out until it tells of
 * itself again, and the next one is asked; the last of them is the one that asks, which reads the range itself.
 */
export class Replicas implements RangeHolders {
  private readonly own: OwnReplica;
  private live: readonly LiveReplica[] = [];
  /** Those that did not answer, with the last that they had told of themselves. */
  private readonly silent = new Map<string, string>();

  constructor(own: OwnReplica) {
    this.own = own;
  }

  /** To be called with those that live, now and then. */
  see(live: readonly LiveReplica[]): void {
    this.live = live;
    for (const [address, beat] of this.silent)
      if (!live.some((replica) => replica.address === address && replica.beat === beat)) this.silent.delete(address);
  }

  rangeAt(place: RangePlace): SearchedRange {
    return rangeBy((call, given) => this.ask(place, call, given));
  }

  private async ask(place: RangePlace, call: RangeCall, given: readonly unknown[]): Promise<unknown> {
    for (const { address, beat } of this.holdersBefore(place)) {
      const found = await this.askOther(address, { place, call, given: [...given] });
      if (found !== null) return found.found;
      this.silent.set(address, beat);
    }
    return callRange(await this.own.rangeAt(place), call, given);
  }

  /** The other replicas that are to be asked before this one reads a range itself, in their order. */
  private holdersBefore({ epoch, first }: RangePlace): readonly LiveReplica[] {
    const { address } = this.own;
    const others = this.live.filter((replica) => replica.address !== address && !this.silent.has(replica.address));
    const beats = new Map(others.map((replica) => [replica.address, replica]));
    const order = holdersOf(`${epoch} ${first}`, [...beats.keys(), address]);
    return order.slice(0, order.indexOf(address)).map((other) => beats.get(other)!);
  }

  /** Null where there is no answer, for whatever reason: whoever asks next tells what is wrong with the range. */
  private async askOther(address: string, call: RangeCallWire): Promise<{ readonly found: unknown } | null> {
    try {
      const answer = await fetch(`http://${address}${RANGE_PATH}`, {
        method: "POST",
        headers: { authorization: `Bearer ${this.own.secret}`, "content-type": "application/json" },
        body: JSON.stringify(call, withPackedNumbers),
        signal: AbortSignal.timeout(CALL_LIMIT_MS),
        redirect: "error",
      });
      if (answer.status !== 200) {
        await answer.body?.cancel();
        return null;
      }
      const found = foundWire(call.call).safeParse(await answer.json());
      return found.success ? { found: found.data } : null;
    } catch {
      return null;
    }
  }
}

/**
 * Who holds a range, and who would if those before were gone: rendezvous hashing (Thaler and Ravishankar 1998). Everybody
 * who knows the same replicas comes to the same.
 */
export function holdersOf(range: string, addresses: readonly string[]): readonly string[] {
  const claims = addresses.map((address): readonly [claim: string, address: string] => [
    createHash("sha256").update(`${address} ${range}`).digest("hex"),
    address,
  ]);
  return claims.sort(([left], [right]) => (left < right ? 1 : -1)).map(([, address]) => address);
}
