import { hash } from "node:crypto";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { PagedObjects } from "../../columns/paged-objects.ts";
import type { SettledCorrections } from "../../contacts/corrections/correction.ts";
import {
  areRulesUnaffected,
  correctedAddresses,
  type EarlierRules,
  type RuleLine,
} from "../../contacts/rule-results.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import { TOOL_VERSION } from "../../version.ts";
import { storedList, storeList } from "../ledger/stored-list.ts";
import type { ContactsByAddress } from "./contacts-by-address.ts";

/**
 * Results of the contact rules, before corrections by the user. A run that reads no mail uses them: rules over all
 * addresses take longer than everything that follows a correction.
 */
const RULES_KEY = "extraction:contact-rules";
const STATE_KEY = "extraction:contact-rules-state";

/** Inputs of the rules besides the mail. */
interface RuleRestrictions {
  readonly merge: boolean;
  readonly corrections: SettledCorrections;
}

/** State of the stored results. */
interface StoredState {
  /** Hash of the version and the lists. */
  readonly hash: string;
  /** `correctedAddresses` of the run. */
  readonly corrected: readonly string[];
  readonly groups: SettledCorrections["groups"];
  readonly apart: readonly (readonly [string, readonly string[]])[];
}

/** Reads the results of the earlier run; null if they are not valid for the restrictions. */
export async function readRules(
  {
    writer,
    memory,
    contacts,
  }: { readonly writer: ArchiveWriter; readonly memory: PagedMemory; readonly contacts: ContactsByAddress },
  restrictions: RuleRestrictions,
): Promise<EarlierRules | null> {
  const stored = await writer.getMeta(STATE_KEY);
  if (typeof stored !== "string") return null;
  const state = JSON.parse(stored) as StoredState;
  if (state.hash !== hashOf(restrictions)) return null;
  const lines = new PagedObjects<RuleLine>(memory);
  for await (const line of storedList<RuleLine>(writer, RULES_KEY)) lines.push(line);
  const { corrections } = restrictions;
  const before = { groups: state.groups, apart: new Map(state.apart.map(([one, others]) => [one, new Set(others)])) };
  if (!areRulesUnaffected(lines, before, corrections, corrections.lists)) {
    lines.clear();
    return null;
  }
  const corrected = new Set([...state.corrected, ...correctedAddresses(corrections)]);
  return { lines, corrected, nameOf: (key) => contacts.nameOf(key) };
}

/** Stores the results for later runs, and releases them. @param isNew false if they are those of the earlier run */
export async function storeRules(
  writer: ArchiveWriter,
  restrictions: RuleRestrictions,
  { rules, isNew }: { readonly rules: PagedObjects<RuleLine>; readonly isNew: boolean },
): Promise<void> {
  const { corrections } = restrictions;
  const state: StoredState = {
    hash: hashOf(restrictions),
    corrected: correctedAddresses(corrections),
    groups: corrections.groups,
    apart: [...corrections.apart].map(([one, others]) => [one, [...others]]),
  };
  await writer.setMeta(STATE_KEY, JSON.stringify(state));
  if (isNew) await storeList(writer, RULES_KEY, linesOf(rules));
  rules.clear();
}

function* linesOf(rules: PagedObjects<RuleLine>): Generator<RuleLine> {
  for (let at = 0; at < rules.length; at++) yield rules.at(at);
}

function hashOf({ merge, corrections }: RuleRestrictions): string {
  return hash("sha256", JSON.stringify([TOOL_VERSION, merge, corrections.lists]));
}
