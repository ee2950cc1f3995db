import { parentPort, workerData } from "node:worker_threads";
import type { ReadingMemory } from "../contract/reading-memory.ts";
import { answerSearches } from "./answer-searches.ts";
import { openSearch } from "./open-search.ts";

/** Entry of the search thread. */
answerSearches(parentPort!, (location) => openSearch(location, { ...(workerData as ReadingMemory), isChecked: true }));
