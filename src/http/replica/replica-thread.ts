import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { answerSearches, replyOf } from "../../store/answer-searches.ts";
import { BEGUN } from "../../store/archive-thread.ts";
import { openSearch } from "../../store/open-search.ts";
import { RangeShelf } from "../../store/postgres/range-shelf.ts";
import { openReplicaRegister, type ReplicaRegister } from "../../store/postgres/replica-register.ts";
import type { RangePlace, RangeSetting } from "../../store/range-place.ts";
import type { ReadingMemory } from "../../store/reading-memory.ts";
import { TOOL_VERSION } from "../../version.ts";
import { RangeServer } from "./range-server.ts";
import type { ReplicaData } from "./replica-entry.ts";
import { Replicas } from "./replicas.ts";

/** Seconds after which a replica that tells nothing of itself is asked no more, and between two times that it tells. */
const LEASE_SECONDS = 10;
const BEAT_SECONDS = 2;
/** Times that a replica tells of itself between two looks for ranges that nobody asks any more: ten minutes. */
const BEATS_A_SWEEP = 300;

/**
 * Entry of the search thread of a replica: it answers the process that started it, as any search thread does, and
 * beside that other replicas that ask for ranges. What they ask waits for no query: two that asked each other would
 * wait for ever.
 */
const { replica, ...memory } = workerData as ReadingMemory & { readonly replica: ReplicaData };
const port = parentPort!;

async function begin(): Promise<RangeSetting> {
  const { server, host } = replica;
  const shelf = new RangeShelf(server);
  const rangeAt = (place: RangePlace) => shelf.at(place);
  const listening = new RangeServer(rangeAt);
  const address = `${host.includes(":") ? `[${host}]` : host}:${await listening.listen(host, replica.port)}`;
  const register = await openReplicaRegister({ server, address, version: TOOL_VERSION, leaseSeconds: LEASE_SECONDS });
  listening.hear(register.secret);
  const replicas = new Replicas({ address, secret: register.secret, rangeAt });
  replicas.see(await register.beat(heldIn(shelf)));
  void beatOn(register, replicas, shelf);
  return { shardDocuments: register.rangeMessages, holders: replicas };
}

async function beatOn(register: ReplicaRegister, replicas: Replicas, shelf: RangeShelf): Promise<never> {
  for (let beats = 1; ; beats++) {
    await pause(BEAT_SECONDS * 1000, undefined, { ref: false });
    try {
      replicas.see(await register.beat(heldIn(shelf)));
      if (beats % BEATS_A_SWEEP === 0) await shelf.sweep();
    } catch {
      // The database is away: whoever searches is told, and those that were there are asked on.
    }
  }
}

/** For people who look into the table. */
function heldIn(shelf: RangeShelf): string {
  return JSON.stringify(shelf.places.map(({ epoch, first, end }) => ({ epoch, first, end })));
}

const begun = begin();
begun.catch(() => undefined);
answerSearches(port, async (location) => openSearch(location, { ...memory, isChecked: true }, await begun));
void replyOf(BEGUN, async () => {
  await begun;
  return [];
}).then((reply) => port.postMessage(reply));
