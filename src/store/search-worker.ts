import { parentPort, workerData } from "node:worker_threads";
import { answerSearches } from "./answer-searches.ts";
import { openSearch } from "./open-search.ts";
import type { ReadingMemory } from "./reading-memory.ts";

/** Entry of the search thread. */
answerSearches(parentPort!, (location) => openSearch(location, { ...(workerData as ReadingMemory), isChecked: true }));
